/** Handles the requests for label names and label values (docs/2 section 4). */
import { type JsonObject } from "../http/message.ts";
import { type LabelledEntries, labelValue } from "./types.ts";

export interface LabelsBehaviour {
  readonly labelNames: (streams: readonly LabelledEntries[]) => readonly string[];
  readonly labelValues: (name: string, streams: readonly LabelledEntries[]) => readonly string[];
  /** Returns the body of the response with a list. For a list of values, `name` is the label. For the list of names, it is undefined. */
  readonly presentList: (list: readonly string[], name: string | undefined) => JsonObject;
}

export const LABELS_BASE: LabelsBehaviour = {
  labelNames: (streams) => [...new Set(streams.flatMap(({ labels }) => Object.keys(labels)))].toSorted(),
  labelValues: (name, streams) =>
    [...new Set(streams.map(({ labels }) => labelValue(labels, name)).filter((value) => value !== ""))].toSorted(),
  presentList: (list) => ({ status: "success", data: list }),
};
