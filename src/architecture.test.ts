/** Tests of the layout: imports go in one direction, checks cannot reach a client, spec files stay short. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "./model/schemas.ts";

/** The folders that datasets and engines may import. */
const BELOW_ENGINES = ["src/contract", "src/model", "src/design", "src/diagnosis", "src/arbitraries", "src/client", "src/harness"];

/** The folders that each folder may import. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/contract": [],
  "src/model": ["src/contract"],
  "src/design": [],
  "src/diagnosis": ["src/contract", "src/model"],
  "src/arbitraries": ["src/contract", "src/model"],
  "src/schemas": ["src/contract", "src/model"],
  "src/messages": ["src/model"],
  "src/settings": ["src/contract", "src/model"],
  "src/client": ["src/contract", "src/model", "src/settings"],
  "src/harness": ["src/contract", "src/design", "src/model", "src/diagnosis", "src/settings", "src/client"],
  "src/histories": BELOW_ENGINES,
  "src/datasets": BELOW_ENGINES,
  "src/queries": [...BELOW_ENGINES, "src/datasets"],
  "src/scenarios": [...BELOW_ENGINES, "src/datasets", "src/queries"],
  specs: [
    "src/contract",
    "src/model",
    "src/diagnosis",
    "src/arbitraries",
    "src/settings",
    "src/harness",
    "src/histories",
    "src/datasets",
    "src/queries",
    "src/scenarios",
  ],
  "src/report": ["src/contract", "src/design", "src/model", "src/diagnosis", "src/settings", "src/client", "src/harness"],
  "src/reference": ["src/contract"],
  "src/fleet": [
    "src/contract",
    "src/design",
    "src/model",
    "src/diagnosis",
    "src/settings",
    "src/client",
    "src/harness",
    "src/reference",
    "specs",
  ],
  "src/bench": [
    "src/contract",
    "src/design",
    "src/model",
    "src/settings",
    "src/client",
    "src/harness",
    "src/report",
    "src/reference",
    "specs",
  ],
  "src/cli": [
    "src/contract",
    "src/design",
    "src/model",
    "src/diagnosis",
    "src/settings",
    "src/client",
    "src/harness",
    "src/report",
    "src/reference",
    "specs",
    "src/schemas",
  ],
};

function filesBelow(folder: string): string[] {
  return readdirSync(join(packageRoot(), folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !/(^|[/-])testing\.ts$/.test(file))
    .map((file) => join(folder, file));
}

const FILES = [...filesBelow("src"), ...filesBelow("specs")];

function houseOf(file: string): string {
  return file.startsWith("specs/") ? "specs" : file.split("/").slice(0, 2).join("/");
}

function sourceOf(file: string): string {
  return readFileSync(join(packageRoot(), file), "utf8");
}

/** Returns the files of this project that a file imports, also if it imports only types. */
function importsOf(file: string): string[] {
  return [...sourceOf(file).matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)";/gms)].map(([, path = ""]) =>
    normalize(join(dirname(file), path)),
  );
}

test("each folder imports only the folders that it may import", () => {
  const wrong = FILES.flatMap((file) =>
    importsOf(file)
      .map(houseOf)
      .filter((house) => house !== houseOf(file) && MAY_IMPORT[houseOf(file)]?.includes(house) !== true)
      .map((house) => `${file} imports ${house}`),
  );
  expect(wrong).toEqual([]);
});

test("the reference server uses only the limits of the contract, because it must not share mistakes of the suite", () => {
  const known = FILES.filter((file) => houseOf(file) === "src/reference").flatMap((file) => importsOf(file));
  expect(new Set(known.filter((path) => houseOf(path) === "src/contract"))).toEqual(new Set(["src/contract/limits.ts"]));
});

test("no files import each other in a circle, not even for types alone", () => {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" > "));
    else if (!done.has(file)) for (const next of importsOf(file)) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of FILES) visit(file, []);
  expect(circles).toEqual([]);
});

test("a check asks through assertions, and uses no client and no scope directly", () => {
  const reaching = FILES.filter((file) => file.startsWith("specs/")).filter((file) =>
    /\.(?:admin|logs)\.\w+\(|\bclient\//.test(sourceOf(file)),
  );
  expect(reaching).toEqual([]);
});

test("the median spec file has fewer than 150 lines", () => {
  const lengths = FILES.filter((file) => file.startsWith("specs/"))
    .map((file) => sourceOf(file).split("\n").length)
    .toSorted((one, other) => one - other);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThan(150);
});
