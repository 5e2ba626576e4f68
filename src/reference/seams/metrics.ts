/** Scripts of metric queries: large numbers, odd ranges and times, groups. */
import { ago, type Client, entries, HOUR, inTurn, MILLISECOND, MINUTE, pushAll, SECOND, type Seen } from "./script.ts";

function count(range: string, filter = ""): string {
  return `count_over_time({app="groups"}${filter} [${range}])`;
}

/** Sums beyond a million, odd ranges and times, groups by several labels, two levels of aggregation. */
export async function metrics(client: Client): Promise<Seen> {
  const start = ago(20n * MINUTE);
  await client.push({ labels: { app: "bytes" }, pairs: entries(41, start, SECOND, (index) => "x".repeat(30_001 + index)) });
  await pushAll(
    client,
    { app: "count" },
    entries(5_000, start, MILLISECOND, () => "x"),
    2_500,
  );
  await client.push({
    labels: { app: "units" },
    pairs: entries(150, ago(151n * SECOND) + 300n * MILLISECOND, SECOND, (index) => `${index}`),
  });
  await client.push({ labels: { app: "old" }, pairs: entries(3, ago(26n * HOUR), 12n * HOUR, (index) => `${index}`) });
  await client.push({ labels: { app: "older" }, pairs: entries(3, ago(3n * HOUR), 80n * MINUTE, (index) => `${index}`) });
  const grouped = [
    ["ab", "c", "x"],
    ["a", "bc", "x"],
    ["c", "ab", "x"],
    ["ab", "c", "y"],
  ].map(([one = "", two = "", three = ""], index) => ({
    labels: { app: "groups", one, two, three },
    pairs: entries(index + 1, start, SECOND, (line) => `${line} ${index}`),
  }));
  await client.push(...grouped);
  await client.push(
    ...[1, 2, 4, 8, 16].map((amount) => ({ labels: { app: "parts", n: `${amount}` }, pairs: entries(amount, start, SECOND, () => "x") })),
  );
  await client.push(
    { labels: { app: "joined", one: "a7" }, pairs: [[start, "x"]] },
    { labels: { app: "joined", onea: "7" }, pairs: [[start, "y"]] },
  );
  const within = MILLISECOND / 4n;
  await client.push({
    labels: { app: "meeting" },
    pairs: [
      [ago(HOUR), "x"],
      [ago(HOUR) + within, "y"],
    ],
  });
  const half = ago(0n) - 500n * MILLISECOND;
  return inTurn([
    ...["bytes", "count", "older"].flatMap((app) =>
      ["bytes_over_time", "count_over_time", "rate"].flatMap((name) =>
        ["1h", "2h30m"].map((range) => async () => client.instant(`sum(${name}({app="${app}"}[${range}]))`)),
      ),
    ),
    ...["90s", "1m30s", "1500ms", "2500ms", "2h", "2d", "1d"].flatMap((range) =>
      ["units", "old"].map((app) => async () => client.instant(`sum(rate({app="${app}"}[${range}]))`, half)),
    ),
    ...[1n, 350n * MILLISECOND, 700n * MILLISECOND + 5n].map(
      (part) => async () => client.instant('sum(count_over_time({app="units"}[10s]))', ago(61n * SECOND) + part),
    ),
    async () => client.instant('sum(count_over_time({app="units"}[10s500ms]))', ago(61n * SECOND) + 300n * MILLISECOND - 500_000n),
    ...["by (one, two)", "by (one, two, three)", "without (one, two)"].map(
      (grouping) => async () => client.instant(`sum ${grouping} (${count("1h")})`),
    ),
    ...["", ' |= "3"'].map((filter) => async () => client.instant(`sum(${count("1h", filter)})`)),
    async () => client.instant('sum(count_over_time({app="meeting"}[2h]))'),
    async () => client.instant('sum(count_over_time({app="meeting"}[2h]))', ago(HOUR) + 2n * within),
    async () => client.instant('count_over_time({app="joined"}[1h])'),
    async () => client.instant(`max(sum by (one) (${count("1h")}))`),
    async () => client.instant(`sum by (three) (max by (one, three) (${count("1h")}))`),
    async () => client.instant(`sum(max by (one) (${count("1h", ' |= "3"')}))`),
    async () => client.instant('count(sum by (n) (count_over_time({app="parts"}[1h])))'),
    async () => client.instant('avg(sum by (n) (count_over_time({app="parts"}[1h])))'),
    async () => client.instant(`sum(${count("1h")}) / sum(${count("1h", ' |= "3"')})`),
    ...["0 1", "01"].map((text) => async () => client.instant(`sum(${count("1h", ` |= "${text}"`)})`)),
    async () => client.push({ labels: { app: "groups", one: "later" }, pairs: [[start, "later"]] }),
    async () => client.instant(`sum(${count("1h")})`),
    async () => client.instant(`sum(${count("2h")})`),
    async () => client.push({ labels: { app: "groups", one: "later" }, pairs: [[start + 1n, "later still"]] }),
    async () => client.instant(`sum(${count("2h")})`),
  ]);
}

/** More entries than sixteen bits count, more bytes than a 32-bit float holds exactly. */
export async function huge(client: Client): Promise<Seen> {
  for (let part = 0; part < 2; part += 1) {
    await client.push({ labels: { app: "huge", n: `${part}` }, pairs: entries(35_001, ago(20n * MINUTE), MILLISECOND, () => "") });
  }
  for (let part = 0; part < 5; part += 1) {
    const lines = entries(35, ago(10n * MINUTE), SECOND, (index) => "x".repeat(100_000 + index));
    await client.push({ labels: { app: "wide", n: `${part}` }, pairs: lines });
  }
  return inTurn([
    async () => client.instant('sum(count_over_time({app="huge"}[1h]))'),
    async () => client.instant('sum(bytes_over_time({app="wide"}[1h]))'),
  ]);
}
