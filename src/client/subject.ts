/** What a request asks or writes, as data, so that the general checks can judge its response whichever check sent it. */
import type { Stream } from "../model/logs.ts";

/** A write of an instance. `body` is the parsed body of the request, undefined if it was not JSON. */
export interface InstanceWrite {
  readonly kind: "create" | "update";
  readonly name: string;
  readonly body: unknown;
  /** Whether the documents describe the request, and therefore its successful response. */
  readonly documented: boolean;
}

/** A documented read of an instance. */
export interface InstanceRead {
  readonly kind: "read";
  readonly name: string;
}

/** A push: the streams that were sent, or the text of a body that cannot be read as streams of entries. */
export interface Push {
  readonly kind: "push";
  readonly tenant: string | null;
  readonly sent: readonly Stream[] | string;
}

/** A documented read of the log API. `tenant` is the value of X-Scope-OrgID; `name` is the label of a list of values. */
export interface LogRead {
  readonly kind: "query_range" | "query" | "labels" | "label values";
  readonly tenant: string | null;
  readonly query?: string;
  readonly name?: string;
}

export type Subject = InstanceWrite | InstanceRead | Push | LogRead;
