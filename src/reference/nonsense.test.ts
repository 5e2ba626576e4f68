/** Tests that each nonsense mode changes its own operation as described, and no other operation. */
import { expect, test } from "vitest";
import { NONSENSE, NONSENSE_OPERATIONS, type NonsenseKind, type NonsenseOperation } from "./nonsense.ts";
import { type Answer, type Bench, minutesAgo, TOKEN, withBench } from "./testing.ts";

const INSTANCE = { display_name: "x", status: "active", cluster: "bench" };
const operations = Object.keys(NONSENSE_OPERATIONS) as NonsenseOperation[];

/** For each operation, a function that sends a request. In the second round, the request differs from the first request. */
const ASK: Readonly<Record<NonsenseOperation, (bench: Bench, round: number) => Promise<Answer>>> = {
  create: async (bench, round) => bench.admin("POST", "", { name: `made-${round}`, ...INSTANCE }),
  read: async (bench, round) => bench.admin("GET", `there-${round}`),
  update: async (bench, round) => bench.admin("PUT", `there-${round}`, { ...INSTANCE, display_name: `y ${round}` }),
  query_range: async (bench, round) => bench.get("query_range", { query: `{app="a${round}"}` }),
  query: async (bench, round) => bench.get("query", { query: `count_over_time({app="a${round}"}[1h])`, time: `${minutesAgo(0)}` }),
  push: async (bench, round) => bench.push({ app: `pushed${round}` }, [[minutesAgo(1), "line"]]),
  labels: async (bench, round) => {
    await bench.push({ app: "more", [`label_${round}`]: "x" }, [[minutesAgo(1), "line"]]);
    return bench.get("labels");
  },
  "label-values": async (bench, round) => bench.get(`label/${round === 0 ? "app" : "first"}/values`),
};

/** Creates the data that the requests read, before the nonsense mode is turned on. */
async function prepare(bench: Bench): Promise<void> {
  for (const round of [0, 1]) {
    await bench.admin("POST", "", { name: `there-${round}`, ...INSTANCE });
    await bench.push({ app: `a${round}`, first: "yes" }, [[minutesAgo(2 + round), `line ${round}`]]);
  }
}

type Ask = (round: number) => Promise<Answer>;

/** For each kind of nonsense, the part of the responses that is compared, and the expected value of this part. */
const SHOWN: Readonly<Record<NonsenseKind, readonly [see: (ask: Ask) => Promise<unknown>, is: unknown]>> = {
  "html-200": [
    async (ask) => {
      const { status, text, headers } = await ask(0);
      return [status, text.slice(0, 5), headers.get("content-type")];
    },
    [200, "<!doc", "text/html"],
  ],
  "truncated-json": [
    async (ask) => {
      const { status, text, json } = await ask(0);
      return [status, text.slice(0, 1), json];
    },
    [200, "{", undefined],
  ],
  "empty-body": [
    async (ask) => {
      const { status, text } = await ask(0);
      return [status, text];
    },
    [200, ""],
  ],
  "404": [async (ask) => (await ask(0)).status, 404],
  "wrong-envelope": [
    async (ask) => {
      const { status, json } = await ask(0);
      return [status, Object.keys(json as object)];
    },
    [200, ["response"]],
  ],
  frozen: [
    async (ask) => {
      const [first, second] = [await ask(0), await ask(1)];
      return first.status === second.status && first.text === second.text;
    },
    true,
  ],
  silent: [async (ask) => answersWithin(80, ask(0)), false],
};

async function answersWithin(ms: number, asking: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const answered = asking.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

test("there is one mode for each operation and kind, and 404 only for reads", () => {
  expect(NONSENSE).toHaveLength(8 * 6 + 5);
  expect(new Set(NONSENSE.map(({ id }) => id)).size).toBe(NONSENSE.length);
});

test.each(NONSENSE.map((mode) => ({ id: mode.id, mode })))("the mode $id changes only its own operation", async ({ mode }) => {
  const { operation, kind } = mode;
  let on = false;
  const whenOn = {
    id: mode.id,
    change: (...given: Parameters<typeof mode.change>) => {
      const [base] = given;
      const changed = { ...base, ...mode.change(...given) };
      return {
        beforeHandle: (...asked: Parameters<typeof base.beforeHandle>) => (on ? changed : base).beforeHandle(...asked),
        respond: (...asked: Parameters<typeof base.respond>) => (on ? changed : base).respond(...asked),
      };
    },
  };
  await withBench({ token: TOKEN, behaviours: [whenOn] }, async (bench) => {
    await prepare(bench);
    on = true;
    const [see, is] = SHOWN[kind];
    expect(await see(async (round) => ASK[operation](bench, round))).toEqual(is);
    for (const other of operations.filter((one) => one !== operation && !(one === "labels" && operation === "push"))) {
      const { status, text } = await ASK[other](bench, 0);
      expect([200, 201, 204], `${other}: ${text}`).toContain(status);
    }
  });
});

test("without a mode, each operation gives different responses to the two requests", async () => {
  await withBench({}, async (bench) => {
    await prepare(bench);
    for (const operation of operations.filter((one) => one !== "push")) {
      const [first, second] = [await ASK[operation](bench, 0), await ASK[operation](bench, 1)];
      expect(second.text, operation).not.toBe(first.text);
    }
  });
});
