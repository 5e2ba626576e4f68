/** Says in which way a dataset is special, because the name of a dataset says little to a reader. */

/** The special property of each dataset, in words after "the queried entries". The key is the beginning of the name of the dataset. */
const WORDS: Readonly<Record<string, string>> = {
  ahead: "reach into the future",
  archive: "are up to hours old",
  "asked-before": "were pushed after the same query had found nothing",
  "at-once": "were pushed while the other tenant pushed too",
  "beside-old": "are hours old and were pushed now",
  dense: "lie within a few milliseconds",
  equals: "are equal in all three streams",
  groups: "are in streams whose label sets have the same text when they are joined, or the same hash",
  grown: "were partly pushed after the same query had been answered",
  "hour-": "lie around full hours",
  "hourly-tenants": "are hours old",
  hours: "lie around full hours",
  "late-": "were partly pushed out of order",
  "lone-old": "are hours old",
  midnight: "lie on both sides of midnight",
  "nearly-equal": "are in streams whose labels are nearly equal",
  "old-tenants": "are hours old",
  relay: "are in streams that follow one after the other in time",
  rested: "were partly pushed after their stream had rested",
  "same-times": "share timestamps",
  spread: "lie a few nanoseconds apart",
  tied: "share timestamps",
  twice: "were flushed in two parts",
  "until-the-hour": "lie around full hours",
};

/** Matches the value of the label `plumbline_set` in a query. */
const SET = /plumbline_set="([^"]+)"/;

/** Returns words such as `; the queried entries share timestamps`, or no words if the queried dataset has no special property. */
export function datasetText(query: string): string {
  const [, name = ""] = SET.exec(query) ?? [];
  const [, words] = Object.entries(WORDS).find(([beginning]) => name.startsWith(beginning)) ?? [];
  return words === undefined ? "" : `; the queried entries ${words}`;
}
