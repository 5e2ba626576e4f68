/** Defines the content of a request as data. The rules that judge every response use it. */
import type { Stream } from "../model/logs.ts";

/** A write of an instance. `body` is the parsed body of the request, or undefined if the body was not JSON. */
export interface InstanceWrite {
  readonly kind: "create" | "update";
  readonly name: string;
  readonly body: unknown;
  /** Whether the documents describe the request. They then also describe its successful response. */
  readonly documented: boolean;
}

export interface InstanceRead {
  readonly kind: "read";
  readonly name: string;
}

/** A push: the pushed streams, or the text of a body that cannot be read as streams of entries. */
export interface Push {
  readonly kind: "push";
  readonly tenant: string | null;
  readonly sent: readonly Stream[] | string;
}

/** A documented read of the log API. `tenant` is the value of X-Scope-OrgID. `name` is the label whose values are listed. */
export interface LogRead {
  readonly kind: "query_range" | "query" | "labels" | "label values";
  readonly tenant: string | null;
  readonly query?: string;
  readonly name?: string;
}

export type Subject = InstanceWrite | InstanceRead | Push | LogRead;
