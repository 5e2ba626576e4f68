/** Scripts of the shapes of requests: queries, refusals, tenants, overlap, sizes. */
import { ago, type Client, entries, FULL_HOUR, inTurn, MILLISECOND, MINUTE, type Pairs, pushAll, SECOND, type Seen } from "./script.ts";

export async function queries(client: Client): Promise<Seen> {
  const lines = [
    "red car",
    "blue car",
    "car is red and blue",
    "blue then red",
    "redblue",
    "green",
    "red",
    "grey green blue",
    "red  car",
    "RED CAR",
  ];
  const alike = ["a b", "a  b", "\u00e9", "e\u0301"];
  const labelled = [
    { kind: "x", size: "s" },
    { kind: "y" },
    { size: "m" },
    { kind: "z", size: "s" },
    {},
    ...alike.map((kind) => ({ kind })),
  ];
  await client.push(
    ...labelled.map((labels, stream) => ({
      labels: { app: "queries", ...labels } as Readonly<Record<string, string>>,
      pairs: entries(lines.length, ago(10n * MINUTE) + BigInt(stream), SECOND, (index) => lines[index] ?? ""),
    })),
  );
  const filters = [
    '|~ "red|blue"',
    '|~ "(red|blue)"',
    '!~ "red|blue"',
    '|~ "red.*blue"',
    '!~ "red.*blue"',
    '|= "red" !~ "then" |~ "car"',
    '|~ "red" |~ "blue"',
    '|= "e" |= "r" |= "d" |= "c"',
    '|~ "red" != "blue"',
    '|= "red car"',
    '|= "red  car"',
    '|= "RED CAR"',
  ];
  const matchers = [
    ...alike.map((kind) => `kind="${kind}"`),
    'kind!="x", size!="m"',
    'kind=~".*", size=~".*"',
    'kind=~"x|y", size="s"',
    'kind=~"x|y|z"',
    'kind!~"x|y"',
    'kind=~"x|m|z", size=~"x|m|z"',
  ];
  return inTurn([
    ...filters.map((filter) => async () => client.range(`{app="queries"} ${filter}`)),
    ...matchers.map((matcher) => async () => client.range(`{app="queries", ${matcher}}`)),
    ...[0n, 3n].map((ns) => async () => client.range('{app="queries"}', { start: ago(10n * MINUTE) + ns })),
  ]);
}

export async function refusals(client: Client): Promise<Seen> {
  await client.push({ labels: { app: "refusals" }, pairs: [[ago(MINUTE), "line"]] });
  const all = '{app="refusals"}';
  const count = `count_over_time(${all}[5m])`;
  const instant = [
    "sum(rate({}[5m]))",
    "bytes_over_time({}[5m])",
    "sum by (app) (count_over_time({}[5m]))",
    "sum(max(count_over_time({}[5m])))",
    "max(count_over_time({}[5m]))",
    'count_over_time({} |= "a" [5m])',
    `${count} + count_over_time({}[5m])`,
    ...['!= "a"', '|~ "a"', '!~ "a"'].map((filter) => `${all} ${filter}`),
    '{app=~"refusals"}',
    '{app="nobody"}',
    ...[" x", ")", ' "text"', " [5m]", " +"].map((end) => `sum(${count})${end}`),
  ];
  return inTurn([
    ...instant.map((query) => async () => client.instant(query)),
    ...[" x", ")", ' {app="x"}', ' "text"', " [5m]", " |=", " ?"].map((end) => async () => client.range(`${all}${end}`)),
  ]);
}

export async function volume(client: Client): Promise<Seen> {
  const pushes = Array.from(
    { length: 9 },
    (_, push) => async () => client.push({ labels: { app: "volume" }, pairs: [[ago(MINUTE) + BigInt(push), "x".repeat(900_000)]] }),
  );
  return inTurn(pushes);
}

/** A stream of seventeen megabytes, as fast as it goes, in pushes of three entries. */
export async function fast(client: Client): Promise<Seen> {
  const pairs = entries(57, ago(10n * MINUTE), SECOND, (index) => `${index} ${"x".repeat(299_990)}`);
  await pushAll(client, { app: "fast" }, pairs, 3);
  return inTurn([async () => client.instant('sum(count_over_time({app="fast"}[1h]))')]);
}

/** Three tenants, none of them first in every order, with unequal data. */
export async function tenants(client: Client): Promise<Seen> {
  const names = ["mid", "alpha", "zeta"];
  for (const [place, name] of names.entries()) {
    const pairs = entries(4 + place, ago(10n * MINUTE) + BigInt(place) * MINUTE, SECOND, (index) => `${name} ${index}`);
    const shared = entries(2, ago(5n * MINUTE) + BigInt(place), MINUTE, (index) => `${name} shares ${index}`);
    await client
      .as(name)
      .push({ labels: { app: "tenants", [`of_${name}`]: name }, pairs }, { labels: { app: "tenants", shared: "yes" }, pairs: shared });
  }
  const asked = [...names, "mid|alpha", "alpha|zeta", "zeta|mid", "zeta|mid|alpha", "mid|alpha|none"];
  return inTurn(
    asked.flatMap((name) => [
      async () => client.as(name).both('{app="tenants"}'),
      async () => client.as(name).both('{app="tenants"}', { limit: "6" }),
      async () => client.as(name).range('{app="tenants"} |= "1"'),
      async () => client.as(name).instant('sum(count_over_time({app="tenants"}[1h]))'),
      async () => client.as(name).names(),
      async () => client.as(name).values("of_mid"),
      async () => client.as(name).values("of_alpha"),
      async () => client.as(name).values("of_zeta"),
    ]),
  );
}

/** Pushes side by side, and reads of what was there before while a push goes on. */
export async function overlap(client: Client): Promise<Seen> {
  const at = ago(10n * MINUTE);
  const labels = { app: "overlap", n: "one" };
  await client.push({ labels, pairs: entries(4, at, SECOND, (index) => `before ${index}`) });
  const before = { start: at, end: at + MINUTE };
  const push = async (n: string, index: number): Promise<string> =>
    client.push(
      {
        labels: { app: "overlap", n },
        pairs: entries(2, at + MINUTE + BigInt(index) * SECOND, 1_000n, (entry) => `${n} ${index} ${entry}`),
      },
      { labels: { app: "overlap", n: `${n} more` }, pairs: [[at + MINUTE + BigInt(index) * SECOND, "more"]] },
    );
  const found: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const pushes = [0, 1, 2, 3, 4].map(async (index) => push(index < 3 ? "one" : `${index}`, round * 5 + index));
    const during = [
      client.range('{app="overlap", n="one"}', before),
      client.instant('sum(count_over_time({app="overlap", n="one"}[5m]))', at + MINUTE - SECOND),
    ];
    found.push(...(await Promise.all([...pushes, ...during])));
  }
  found.push(await client.range('{app="overlap"}'));
  return found;
}

export async function inFlight(client: Client): Promise<Seen> {
  const at = ago(10n * MINUTE);
  const other = client.as("other");
  const pushed = entries(6, at, SECOND, (index) => `line ${index}`);
  await client.push({ labels: { app: "flight" }, pairs: pushed });
  await other.push({ labels: { app: "flight" }, pairs: pushed.map(([ts, line]) => [ts, `other ${line}`]) });
  await other.push({ labels: { app: "flight", of: "other" }, pairs: pushed });
  await client.push({ labels: { app: "flight", of: "one" }, pairs: pushed });
  await client.push({ labels: { app: "divided" }, pairs: entries(6, FULL_HOUR - 3n * SECOND, SECOND, (index) => `line ${index}`) });
  for (const [who, word] of [
    [client, "mine"],
    [other, "theirs"],
  ] as const)
    await who.push({ labels: { app: "long" }, pairs: entries(300, at, MILLISECOND, (index) => `${word} ${index} ${"long ".repeat(16)}`) });
  await client.push(
    ...Array.from({ length: 120 }, (_, stream) => ({
      labels: { app: "crowd", n: `${stream}` },
      pairs: entries(2, at, SECOND, () => "a line"),
    })),
  );
  const query = '{app="flight"}';
  const long = ['{app="long"}', '{app="long"} |= "long"'];
  const [divided, around] = ['{app="divided"} |= "line"', { start: FULL_HOUR - MINUTE, end: FULL_HOUR + MINUTE }];
  const [half, counted] = [at + 2_500_000_000n, at + 20n * SECOND];
  return (
    await Promise.all([
      client.range(query),
      client.range(query, { limit: "2" }),
      client.range(query, { direction: "forward" }),
      client.range(query, { start: half }),
      client.range(`${query} |= "3"`),
      other.range(query),
      client.instant(`count_over_time(${query}[1m])`, counted),
      client.instant(`bytes_over_time(${query}[1m])`, counted),
      client.instant(`count_over_time(${query}[1m])`, half),
      client.instant('count_over_time({app="crowd"}[1m])', counted),
      client.instant('bytes_over_time({app="crowd"}[1m])', counted),
      client.values("app"),
      client.values("nobody"),
      client.values("of"),
      other.values("of"),
      client.range(divided, { ...around, limit: "4" }),
      client.range(divided, around),
      ...long.flatMap((one) => [client, other].map(async (who) => who.range(one, { limit: "500" }))),
    ])
  ).flat();
}

export async function sizes(client: Client): Promise<Seen> {
  const at = ago(10n * MINUTE);
  const lengths = [5_001, 9_001, 17_001, 20_001, 40_001, 65_001];
  const lines = lengths.map((length, index): [bigint, string] => [
    at + BigInt(index),
    `${length}é`.repeat(Math.ceil(length / 6)).slice(0, length),
  ]);
  const long = "v".repeat(99);
  const pushes = [
    ...[70, 300, 600].map((kib) => [
      { labels: { app: "bodies", kib: `${kib}` }, pairs: entries(kib / 10, at, SECOND, () => "x".repeat(10_200)) },
    ]),
    [{ labels: { app: "entries" }, pairs: entries(1_200, at, MILLISECOND, (index) => `${index}`) }],
    Array.from({ length: 300 }, (_, stream) => ({ labels: { app: "streams", n: `${stream}` }, pairs: [[at, "x"]] as Pairs })),
    [
      { labels: { app: "labels", long: `${long}${"a".repeat(101)}` }, pairs: [[at, "a"]] as Pairs },
      { labels: { app: "labels", long: `${long}${"a".repeat(100)}b` }, pairs: [[at, "b"]] as Pairs },
      { labels: { app: "labels", ["n".repeat(40)]: "x" }, pairs: [[at, "c"]] as Pairs },
    ],
    Array.from({ length: 14 }, (_, name) => ({ labels: { app: "names", [`name_${name}`]: "x" }, pairs: [[at, "x"]] as Pairs })),
  ];
  return inTurn([
    async () => client.push({ labels: { app: "lines" }, pairs: [...lines, [at + SECOND, `${"hay ".repeat(1_100)}needle`]] }),
    ...pushes.map((streams) => async () => client.push(...streams)),
    ...["lines", "bodies", "entries", "streams", "labels"].map((app) => async () => client.range(`{app="${app}"}`)),
    async () => client.range('{app="lines"} |= "65001é" != "9001é"'),
    async () => client.range('{app="lines"} |= "needle"'),
    async () => client.range('{app="lines"} |~ "ne[a-f]dle"'),
    async () => client.range(`{app="labels", long="${long}${"a".repeat(101)}"}`),
    async () => client.values("n"),
    async () => client.values("long"),
    async () => client.names(),
  ]);
}
