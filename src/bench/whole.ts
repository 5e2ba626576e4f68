/** Makes 500 validated reads in a whole process: once with a check of this suite, and once with each of some other tools. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { packageRoot } from "../model/schemas.ts";

export const READS = 500;

export interface Read {
  readonly url: string;
  readonly authorization: string;
}

const FIELDS = ["name", "display_name", "created_at", "status", "cluster"];

function moduleOf(path: string): string {
  return JSON.stringify(pathToFileURL(join(packageRoot(), "dist", path)).href);
}

/** Writes a folder with a user's check. The check reads an instance and validates the response. Returns the path of the folder. */
export function ownCheck(folder: string): string {
  const specs = join(folder, "specs");
  mkdirSync(specs, { recursive: true });
  writeFileSync(
    join(specs, "reads.mjs"),
    `import { adminCheck, found } from ${moduleOf("specs/own.js")};
import { answerDifferences } from ${moduleOf("src/model/schemas.js")};
import { jsonOf } from ${moduleOf("src/client/exchange.js")};
export const CHECKS = [adminCheck({
  slug: "own-reads",
  title: "reads answer the instance object",
  clauses: ["admin-4.GET"],
  async run(t) {
    for (let read = 0; read < ${READS}; read += 1) {
      const { exchanges } = await t.probe((scope) => scope.admin.read("bench"));
      await t.verify(found("admin-4.GET", answerDifferences("read instance", jsonOf(exchanges[0])), { exchanges }));
    }
  },
})];
`,
  );
  return specs;
}

/** For each of the other tools, the arguments of `node`. The tools are installed in `node_modules` below `installed`. */
export const OTHERS: Readonly<Record<string, (folder: string, installed: string, read: Read) => readonly string[]>> = {
  pactum: (folder, installed, { url, authorization }) => {
    const script = join(folder, "pactum.mjs");
    const entry = pathToFileURL(join(installed, "node_modules/pactum/src/index.js")).href;
    writeFileSync(
      script,
      `import pactum from ${JSON.stringify(entry)};
const schema = ${JSON.stringify({ type: "object", required: FIELDS })};
for (let read = 0; read < ${READS}; read += 1)
  await pactum.spec().get(${JSON.stringify(url)}).withHeaders("authorization", ${JSON.stringify(authorization)}).expectStatus(200).expectJsonSchema(schema).toss();
`,
    );
    return [script];
  },
  newman: (folder, installed, { url, authorization }) => {
    const collection = join(folder, "newman.json");
    const exec = [
      "pm.test('an instance', () => {",
      "pm.response.to.have.status(200);",
      `pm.response.to.have.jsonSchema(${JSON.stringify({ type: "object", required: FIELDS })});`,
      "});",
    ];
    const item = {
      name: "read",
      event: [{ listen: "test", script: { exec } }],
      request: { method: "GET", url, header: [{ key: "authorization", value: authorization }] },
    };
    const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
    writeFileSync(collection, JSON.stringify({ info: { name: "reads", schema }, item: [item] }));
    const results = ["--reporters", "json", "--reporter-json-export", join(folder, "newman-results.json")];
    return [join(installed, "node_modules/newman/bin/newman.js"), "run", collection, "-n", String(READS), ...results];
  },
};
