/** Small data, minutes old: three streams with twelve entries, and the plain questions about them. */
import { ago, entries, inTurn, MINUTE, type Script, SECOND } from "./script.ts";

const REFUSED = ['{app="small"', "{}", "sum(count_over_time({}[5m]))", 'count_over_time({app="small"})'];

export const SMALL: Script = async (client) => {
  const streams = ["a", "b", "c"].map((n, place) => ({
    labels: { app: "small", n },
    pairs: entries(
      4,
      ago(9n * MINUTE) + BigInt(place) * 7n * SECOND + 123n,
      31n * SECOND,
      (index) => `${n}${index} ${"word ".repeat(index + 1)}`,
    ),
  }));
  const metrics = ["count_over_time", "rate", "bytes_over_time"].flatMap((name) => [
    `${name}({app="small"}[10m])`,
    `sum(${name}({app="small", n="b"}[10m]))`,
    `sum by (n) (${name}({app="small"}[10m]))`,
  ]);
  return inTurn([
    async () => client.push(...streams),
    ...['{app="small"}', '{app="small", n="b"}', '{app="small", n!="b"}', '{app="small", n=~".*[ab]"}', '{app="nothing"}'].map(
      (query) => async () => client.both(query),
    ),
    ...["|=", "!=", "|~", "!~"].map((operator) => async () => client.both(`{app="small"} ${operator} "word word"`)),
    ...["1", "5", "12", "100"].map((limit) => async () => client.both('{app="small"}', { limit })),
    ...metrics.map((query) => async () => client.instant(query)),
    ...REFUSED.map((query) => async () => [await client.range(query), await client.instant(query)]),
    async () => client.instant('{app="small"}'),
    async () => client.names(),
    async () => client.values("n"),
  ]);
};
