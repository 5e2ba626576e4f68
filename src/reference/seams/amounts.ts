/** Scripts whose data cross the seams of amounts: blocks, chunks, hours, batches, shards. */
import {
  ago,
  type Client,
  entries,
  FULL_HOUR,
  HOUR,
  inTurn,
  MILLISECOND,
  MINUTE,
  type Pairs,
  pushAll,
  SECOND,
  type Seen,
} from "./script.ts";

/** Words of the first and the last block. */
const SELDOM: ReadonlyMap<number, string> = new Map([
  [3, " early"],
  [3_496, " final"],
]);

/** Two entries at one time, again and again. */
function inTwos(pairs: Pairs): Pairs {
  return pairs.map(([ts, line], index) => (index % 100 === 57 ? [pairs[index - 1]?.[0] ?? ts, line] : [ts, line]));
}

/** Tells of an entry whether it is the first that does not fit among so many bytes of lines. */
function fills(most: number): (pair: Pairs[number]) => boolean {
  let bytes = 0;
  return ([, line]) => (bytes += line.length) > most;
}

/** A window that holds what lies at one time. */
function onlyAt(pairs: Pairs, index: number): { start: bigint; end: bigint } {
  const at = BigInt(pairs[index]?.[0] ?? 0);
  return { start: at - 1n, end: at + 1n };
}

/** A stream of about 700 KiB: three blocks, of which the first two are closed. */
export async function blocks(client: Client): Promise<Seen> {
  await pushAll(client, { app: "long" }, longThenFull(ago(5n * MINUTE)), 1_000);
  const start = ago(30n * MINUTE);
  await pushAll(
    client,
    { app: "tight" },
    entries(700, start, MILLISECOND / 100n, (index) => `caf\u00e9 ${index}`),
    700,
  );
  const alike = entries(300, start, SECOND, (index) => `${"the same beginning ".repeat(4)}${index + 100} ${"x".repeat(1_000)}`);
  await pushAll(client, { app: "alike" }, alike, 300);
  const pairs = entries(
    3_500,
    start,
    200n * MILLISECOND + 11n,
    (index) => `${index % 10 === 9 ? "ten" : "one"}${SELDOM.get(index) ?? ""} ${index} ${"x".repeat(190)}`,
  );
  await pushAll(client, { app: "blocks" }, inTwos(pairs), 1_500);
  const all = '{app="blocks"}';
  const inner = { start: start + 3n * MINUTE, end: start + 8n * MINUTE };
  const first = pairs.findIndex(fills(256 * 1_024));
  return inTurn([
    async () => client.both(all),
    async () => client.both(all, { limit: "300" }),
    async () => client.both(all, inner),
    ...[first - 1, first].map((index) => async () => client.both(all, onlyAt(pairs, index))),
    async () => client.both('{app="alike"}'),
    async () => client.both(`${all} |= "ten"`),
    ...["early|final", "finals?"].map((expression) => async () => client.both(`${all} |~ "${expression}"`)),
    async () => client.both(`${all} != "early"`),
    async () => client.instant(`sum(count_over_time(${all}[1h]))`),
    ...["early", "final"].map((text) => async () => client.instant(`sum(count_over_time(${all} |= "${text}"[1h]))`)),
    async () => client.both('{app="long"}'),
    ...[0n, 5n].map((halves) => async () => client.both('{app="tight"}', { start: start + (halves * MILLISECOND) / 2n + 1n })),
  ]);
}

/** Two long lines, and enough after them to fill the block they are in. */
function longThenFull(start: bigint): Pairs {
  return entries(80, start, SECOND, (index) =>
    Array.from({ length: index < 2 ? 3_000 * (index + 1) : 800 }, (_, word) => `${word}`).join(" "),
  );
}

/** A stream of about 2.8 MiB: two chunks, also where a chunk has ten blocks. */
export async function chunks(client: Client): Promise<Seen> {
  const pairs = entries(2_800, ago(30n * MINUTE), 200n * MILLISECOND, (index) => `${index} ${"x".repeat(1_000)}`);
  await pushAll(client, { app: "chunks" }, pairs, 1_000);
  const all = '{app="chunks"}';
  return inTurn([
    async () => client.both(all),
    async () => client.range(all, { limit: "100" }),
    async () => client.instant(`sum(count_over_time(${all}[1h]))`),
  ]);
}

/** Streams with entries around three full hours, one of them in the last only. */
export async function hours(client: Client): Promise<Seen> {
  const offsets = [-2n * MINUTE, -SECOND, -MILLISECOND / 2n, -1n, 0n, 1n, MILLISECOND / 2n, 3n * SECOND, 2n * MINUTE];
  const around = (shift: bigint, name: string): Pairs =>
    [2n, 1n, 0n].flatMap((hour) =>
      offsets.map((offset) => [FULL_HOUR - hour * HOUR + offset + shift, `${name} ${hour} ${offset}`] as const),
    );
  await client.push(
    { labels: { app: "hours", n: "a" }, pairs: around(0n, "a") },
    { labels: { app: "hours", n: "b" }, pairs: around(2n, "b") },
    { labels: { app: "hours", n: "late" }, pairs: entries(4, FULL_HOUR + MINUTE, SECOND, (index) => `late ${index}`) },
    { labels: { app: "hours", n: "early" }, pairs: entries(4, FULL_HOUR - 3n * MINUTE, SECOND, (index) => `early ${index}`) },
    { labels: { app: "hours", n: "same" }, pairs: [-SECOND, SECOND].map((offset) => [FULL_HOUR + offset, "the same"] as const) },
    { labels: { app: "hours", n: "until" }, pairs: entries(3, FULL_HOUR - 2n * MINUTE, MINUTE, (index) => `until ${index}`) },
  );
  await client.push({ labels: { app: "hours", n: "0" }, pairs: [[FULL_HOUR - 4n * MINUTE, "far"]] });
  const all = '{app="hours"}';
  const window = { start: FULL_HOUR - 2n * HOUR - 30n * MINUTE, end: ago(0n) };
  return inTurn([
    async () => client.both(all, window),
    ...[3, 10, 16, 20, 30].map((limit) => async () => client.both(all, { ...window, limit: `${limit}` })),
    ...[10, 16, 20].map((limit) => async () => client.both(`${all} !~ "nothing"`, { ...window, limit: `${limit}` })),
    async () => client.both(`{app="hours", n="a"} !~ "nothing"`, { ...window, limit: "10" }),
    async () => client.both(`${all} !~ "nothing"`, { ...window, start: window.start - 7n * HOUR }),
    ...["a 2 -1", "a 0 1"].map((text) => async () => client.both(`${all} |= "${text}"`, { ...window, limit: "5" })),
    async () => client.both(all, { start: FULL_HOUR - 30n * MINUTE, end: FULL_HOUR + 2n, limit: "3" }),
    ...[all, `${all} !~ "nothing"`].map((query) => async () => client.both(query, { start: FULL_HOUR - HOUR, end: window.end })),
    async () => client.both('{app="hours", n="a"}', { start: FULL_HOUR - 30n * SECOND, end: FULL_HOUR + 30n * SECOND }),
    ...["3h", "1h", "50m"].map((range) => async () => client.instant(`sum by (n) (count_over_time(${all}[${range}]))`)),
    async () => client.instant(`sum by (n) (count_over_time(${all} |= "a"[3h]))`),
    async () => client.instant('sum by (n) (count_over_time({app="hours", n!="b"}[3h]))'),
  ]);
}

/** A stream over two full hours, read page after page in both directions. */
export async function pages(client: Client): Promise<Seen> {
  const start = FULL_HOUR - HOUR - 10n * MINUTE;
  await client.push({ labels: { app: "pages" }, pairs: entries(45, start, 2n * MINUTE + 1n, (index) => `${index}`) });
  const found: string[] = [];
  for (const direction of ["forward", "backward"]) {
    let window = { start: start - MINUTE, end: ago(0n) };
    for (let page = 0; page < 12; page += 1) {
      const answer = await client.range('{app="pages"}', { ...window, limit: "4", direction });
      found.push(answer);
      const times = [...answer.matchAll(/\["(\d{19})"/g)].map(([, ts = ""]) => BigInt(ts));
      const last = times.at(-1);
      if (last === undefined) break;
      window = direction === "forward" ? { ...window, start: last + 1n } : { ...window, end: last };
    }
  }
  return found;
}

/** Answers and counts above and at multiples of the sizes of batches. */
export async function batches(client: Client): Promise<Seen> {
  const start = ago(20n * MINUTE);
  await pushAll(
    client,
    { app: "batches", n: "long" },
    entries(1_600, start, 100n * MILLISECOND, (index) => `${index}`),
    800,
  );
  await client.push({ labels: { app: "batches", n: "old" }, pairs: entries(3, start - MINUTE, SECOND, (index) => `old ${index}`) });
  await client.push({ labels: { app: "batches", n: "new" }, pairs: entries(3, ago(MINUTE), SECOND, (index) => `new ${index}`) });
  const all = '{app="batches"}';
  await client.push({ labels: { app: "left" }, pairs: entries(129, start, SECOND, (index) => `left ${index}`) });
  const counted = (entriesOf: bigint): bigint => start + (entriesOf - 1n) * 100n * MILLISECOND;
  return inTurn([
    ...[127, 128, 129, 130, 256, 257, 512, 513, 600, 1_000, 1_001, 5_000].map(
      (limit) => async () => client.both(all, { limit: `${limit}` }),
    ),
    async () => client.both('{app="left"}'),
    ...[511n, 512n, 513n, 1_024n, 1_600n].map(
      (count) => async () => client.instant('sum(count_over_time({app="batches", n="long"}[15m]))', counted(count)),
    ),
  ]);
}

/** A hundred and twenty streams; then few streams with entries at the same times and with the same lines. */
export async function shards(client: Client): Promise<Seen> {
  const start = ago(10n * MINUTE);
  const many = Array.from({ length: 120 }, (_, stream) => ({
    labels: { app: "many", n: `${stream}` },
    pairs: entries(3, start + BigInt((stream * 37) % 120) * SECOND, 130n * SECOND, (index) => `${stream} ${index}`),
  }));
  const same = start + 5n * SECOND;
  const beside = ["a", "b", "c"].map((n, place) => ({
    labels: { app: "beside", n },
    pairs: [
      [same, "equal"],
      ...entries(6, same + BigInt(3 - place) * 100n, 1_000n, (index) => `${n} ${index}`),
      ...entries(4, same + SECOND + BigInt(3 - place) * 7_000n, 40_000n, (index) => `${n} later ${index}`),
      [same + MINUTE, "again"],
      [same + 2n * MINUTE, "again"],
      [same + 3n * MINUTE, "one"],
      [same + 3n * MINUTE, "two"],
      [same + 4n * MINUTE, "one beginning, one of two and one end"],
      [same + 5n * MINUTE, "one beginning, two of two and one end"],
    ] as Pairs,
  }));
  const relay = ["a", "b", "c"].map((n, place) => ({
    labels: { app: "relay", n },
    pairs: entries(7, start + BigInt(place) * MINUTE, SECOND, (index) => `${n} ${index}`),
  }));
  const twins = ["a", "b"].map((n) => ({
    labels: { app: "twins", n },
    pairs: entries(1_400, start, SECOND / 10n, (index) => `${n} ${index} ${"x".repeat(195)}`),
  }));
  const [first] = many;
  const filled = (n: string): { labels: Readonly<Record<string, string>>; pairs: Pairs } => ({
    labels: { app: "empty", n },
    pairs: [[same, n]],
  });
  return inTurn([
    async () => client.push(...many),
    async () => client.push(...beside),
    async () => client.push(...relay),
    ...twins.map((twin) => async () => client.push(twin)),
    async () => client.instant('sum(count_over_time({app="twins"}[1h]))'),
    async () => client.push({ labels: { app: "empty", n: "none" }, pairs: [] }, filled("b")),
    async () => client.push(filled("c"), { labels: { app: "empty", n: "none" }, pairs: [] }, filled("d")),
    async () => (first === undefined ? "" : client.range('{app="many", n="0"}')),
    async () => client.both('{app="relay"}', { limit: "20" }),
    ...["many", "beside", "empty"].flatMap((app) => [
      async () => client.both(`{app="${app}"}`),
      ...[5, 16, 50].map((limit) => async () => client.both(`{app="${app}"}`, { limit: `${limit}` })),
      async () => client.instant(`sum(count_over_time({app="${app}"}[1h]))`),
      async () => client.instant(`sum by (n) (count_over_time({app="${app}"}[1h]))`),
    ]),
  ]);
}
