import { expect, test } from "vitest";
import { select, type Stream, within } from "../model/logs.ts";
import { hasEntries, mistakenText } from "./mistaken.ts";
import type { Asked } from "./range-request.ts";

const streams: Stream[] = ["red", "blue"].map((colour, stream) => ({
  labels: { colour },
  entries: ["Alpha one", "alpha two", "beta one"].map((line, index) => ({ ts: BigInt(index * 1_000_500 + stream * 7 + 1_000), line })),
}));
const WHOLE = { start: 0n, end: 9_000_000n };

/** Returns the words about a service that answers the query `answered` in place of the query `asked`. */
function guess(asked: Asked, answered: Asked): string | undefined {
  const { start, end } = answered.window ?? WHOLE;
  const came = within(select(streams, { matchers: [], filters: [], ...answered }), start, end);
  return mistakenText(streams, asked, asked.window ?? WHOLE, hasEntries(came, asked.cut));
}

const contains = (text: string) => ({ operator: "|=", text }) as const;
const isColour = (value: string, operator: "=" | "=~" = "=") => ({ name: "colour", operator, value }) as const;

test("a message names the part of a query that the service seems to have ignored", () => {
  const two = [contains("one"), contains("beta")];
  expect(guess({ filters: two }, { filters: [contains("one")] })).toMatch(/select with only the line filter \|= "one"$/);
  expect(guess({ filters: [contains("one")] }, {})).toMatch(/without the line filter \|= "one"$/);
  expect(guess({ matchers: [isColour("red")] }, {})).toMatch(/without the matcher colour="red"$/);
  const either = { operator: "|~", text: "two|beta" } as const;
  expect(guess({ filters: [either] }, { filters: [contains("two")] })).toMatch(/with only the alternative "two"$/);
  const many = { operator: "|~", text: "two|beta|Alpha" } as const;
  expect(guess({ filters: [many] }, { filters: [either] })).toMatch(/with only the first 2 of 3 alternatives$/);
  expect(guess({ filters: [contains("alpha")] }, { filters: [{ operator: "|~", text: "[Aa]lpha" }] })).toMatch(/ignored letter case$/);
});

test("a message names the operator or the way of comparing that the service seems to have used", () => {
  const lacks = { operator: "!=", text: "one" } as const;
  expect(guess({ filters: [lacks] }, { filters: [contains("one")] })).toMatch(/with the line filter \|= "one" in place of !=$/);
  const others = { name: "colour", operator: "!=", value: "red" } as const;
  expect(guess({ matchers: [others] }, { matchers: [isColour("red")] })).toMatch(/with the matcher colour="red" in place of !=$/);
  expect(guess({ filters: [contains("a")] }, { filters: [{ operator: "|~", text: "^a" }] })).toMatch(/only the beginning of a line$/);
  const colours = [isColour("Red"), isColour("re"), isColour("e.", "=~")] as const;
  const ways = [/ignored letter case$/, /only the beginning of a value$/, /with the matcher colour=~|matched a part of a value$/];
  for (const [index, colour] of colours.entries())
    expect(guess({ matchers: [colour] }, { matchers: [isColour("red")] })).toMatch(ways[index] as RegExp);
});

test("a message says that the times of a query seem to be cut", () => {
  const window = { start: 0n, end: 1_001_501n };
  expect(guess({ window }, { window: { start: 0n, end: 1_001_499n } })).toMatch(/with its times cut to whole microseconds$/);
});

test("a message says that the window seems to have another length", () => {
  const [whole, half, end] = [0n, 1_001_100n, 2_002_200n];
  expect(guess({ window: { start: whole, end } }, { window: { start: half, end } })).toMatch(/ if its window were half as long$/);
  // The whole dataset is also the result without a window.
  expect(guess({ window: { start: half, end } }, { window: { start: whole, end } })).toMatch(/ without its window, or with a longer one$/);
  const early = { window: { start: 1_550_000n, end: 2_100_000n } };
  expect(guess(early, { window: { start: 1_000_000n, end: 2_100_000n } })).toMatch(/ if its window were twice as long$/);
});

test("a message names the entries near an edge of the window, and the beginning of an expression", () => {
  const window = { start: 999n, end: 1_001_501n };
  expect(guess({ window }, { window: { start: 1_001n, end: 1_001_501n } })).toMatch(/select without the entries 1 ns after its start$/);
  expect(guess({ window }, { window: { start: 999n, end: 1_001_499n } })).toMatch(
    /without the entries 1 ns before its end, or with its times cut to whole microseconds$/,
  );
  const expression = { operator: "|~", text: "one.*x" } as const;
  expect(guess({ filters: [expression] }, { filters: [contains("one")] })).toMatch(/with only the beginning "one" of its expression$/);
});

const at = (colour: string, ...seconds: number[]): Stream => ({
  labels: { colour },
  entries: seconds.map((second) => ({ ts: BigInt(second) * 1_000_000_000n + 7n, line: `at ${second}` })),
});

test("a message names a missing period of the window only if that is no coincidence", () => {
  const [window, cut] = [
    { start: 0n, end: 100_000_000_000n },
    { limit: 2, direction: "backward" },
  ] as const;
  const told = (all: readonly Stream[], came: readonly Stream[], asked: Asked = {}): string | undefined =>
    mistakenText(all, asked, window, hasEntries(came, asked.cut));
  const [first, second] = [at("red", 10, 20, 70), at("blue", 80, 90)];
  expect(told([first, second], [at("red", 70), second])).toMatch(/select without the first minute of its window$/);
  expect(told([at("red", 10, 20), second], [second]), "a whole stream").toBeUndefined();
  expect(told([first], [at("red", 70)]), "one entry").toBeUndefined();
  expect(told([first, second], [at("red", 20), at("red", 10)], { cut }), "a low limit").toBeUndefined();
  expect(told([first, second], [at("red", 70), second].toReversed()), "more than one minute").toBeDefined();
  expect(told([first, second], [first, second]), "a wrong order only").toBeUndefined();
});

test("a response that no guess explains, and an empty response, have no such words", () => {
  expect(guess({ filters: [contains("alpha")] }, { filters: [contains("beta")] })).toBeUndefined();
  expect(guess({ filters: [contains("alpha")] }, { filters: [contains("gamma")] })).toBeUndefined();
});
