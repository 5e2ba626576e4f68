/** The two documents and their sections, with the titles that the documents print. */
import { type Clause, SERVICES } from "./clause.ts";

export interface Document {
  readonly name: string;
  readonly title: string;
}

export const DOCUMENTS: Readonly<Record<Clause["document"], Document>> = {
  admin: { name: "Metrics admin API", title: "Instance Administration and Per-Instance Limits (metrics service)" },
  logs: { name: "Log API", title: "Log Query and Ingestion HTTP API" },
};

/** Returns a name such as `1. Metrics admin API`, which sorts in the order of the documents. */
export function numberedName(document: Clause["document"]): string {
  return `${Object.keys(DOCUMENTS).indexOf(document) + 1}. ${DOCUMENTS[document].name}`;
}

export interface Section {
  readonly document: Clause["document"];
  /** The number of the section in the document, for example "4". */
  readonly number: string;
  readonly title: string;
}

/** Both documents have the same nine sections. */
const TITLES = [
  "What the service does",
  "Resources and their fields",
  "States and transitions",
  "Endpoints",
  "Authentication",
  "Events",
  "Errors",
  "Limits",
  "Versioning",
] as const;

export const SECTIONS: readonly Section[] = SERVICES.flatMap((document) =>
  TITLES.map((title, index) => ({ document, number: String(index + 1), title })),
);

/** Returns the name of the section of a clause, for example `Section 4: Endpoints`. */
export function sectionName({ document, section }: Pick<Clause, "document" | "section">): string {
  const found = SECTIONS.find((candidate) => candidate.document === document && candidate.number === section);
  return found === undefined ? `Section ${section}` : `Section ${section}: ${found.title}`;
}
