/** Searches the syntax trees of the source files for the sentences that users of the suite read. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";

export type MessageKind = "title" | "reason" | "difference" | "text";

export interface Message {
  readonly file: string;
  readonly line: number;
  readonly kind: MessageKind;
  /** The text of the message in the source, with `${…}` in place of values. */
  readonly template: string;
  /** The text of the message with `…` in place of each value. */
  readonly words: string;
  /** The text of the message with sample values. */
  readonly example: string;
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number; readonly end: number };

const FOLDERS = [
  "specs",
  ...["diagnosis", "client", "harness", "model", "report", "histories", "datasets", "queries", "scenarios"].map((name) => `src/${name}`),
];
const SOURCE = /^(?!.*(?:\.test|\.spec|testing)\.ts$).*\.ts$/;

/** Matches two consecutive words. Sentences have them, but names, paths and patterns do not. */
const SENTENCE = /(?:^|[\s("“])[a-z…][\w…'’-]*[,:;]? [a-z…“"(\d]/i;

/** Matches syntax nodes without text for users. Tagged templates are patterns in this project. */
const WITHOUT_TEXT = /^(?:ImportDeclaration|ExportAllDeclaration|TSLiteralType|TSTypeReference|TaggedTemplateExpression)$/;

const REASON_CALLS = /^(?:notRun|inconclusive|Inconclusive|unless|skipped|precondition)$/;
const DIFFERENCE_KEYS = /^(?:expected|actual)$/;

const SAMPLES: readonly (readonly [RegExp, string])[] = [
  [/clause/i, "admin-4.2"],
  [/status/i, "404"],
  [/seconds|minutes|hours|count|length|size|amount|total|limit$|max|most/i, "12"],
  [/ms$|wait|timeout|took/i, "2000"],
  [/path|where|place/i, "limits.max_query_length"],
  [/endpoint/i, "query_range"],
  [/error|message|reason/i, "connection refused"],
];

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function sample(expression: string): string {
  const name = /[A-Za-z_]\w*(?=[^A-Za-z_]*$)/.exec(expression)?.[0] ?? expression;
  return SAMPLES.find(([pattern]) => pattern.test(name))?.[1] ?? `<${name}>`;
}

type Text = Pick<Message, "template" | "words" | "example">;

function templateText({ quasis, expressions }: Node, source: string): Text {
  const values = (expressions as readonly Node[]).map(({ start, end }) => source.slice(start, end));
  const filled = (put: (value: string) => string): string =>
    (quasis as readonly { value: { cooked: string } }[])
      .map(({ value }, index) => value.cooked + (index < values.length ? put(values[index] ?? "") : ""))
      .join("");
  return { template: filled((value) => `\${${value}}`), words: filled(() => "…"), example: filled(sample) };
}

/** Returns the text of a literal, a template, or a concatenation of them. Returns undefined for any other node. */
function textOf(node: Node, source: string): Text | undefined {
  const { value, left, right } = node;
  if (node.type === "Literal") return typeof value === "string" ? { template: value, words: value, example: value } : undefined;
  if (node.type === "TemplateLiteral") return templateText(node, source);
  if (node.type !== "BinaryExpression" || node["operator"] !== "+" || !isNode(left) || !isNode(right)) return undefined;
  const [one, other] = [textOf(left, source), textOf(right, source)];
  if (one === undefined || other === undefined) return undefined;
  return { template: one.template + other.template, words: one.words + other.words, example: one.example + other.example };
}

function nameOf(node: unknown): string {
  if (!isNode(node)) return "";
  return node.type === "MemberExpression"
    ? nameOf(node["property"])
    : ([node["name"], node["value"]].find((value) => typeof value === "string") ?? "");
}

function kindBelow(node: Node, kind: MessageKind): MessageKind {
  if (node.type === "CallExpression" || node.type === "NewExpression") return REASON_CALLS.test(nameOf(node["callee"])) ? "reason" : kind;
  if (node.type !== "Property") return kind;
  const key = nameOf(node["key"]);
  if (key === "title") return "title";
  return DIFFERENCE_KEYS.test(key) ? "difference" : kind;
}

export function messagesIn(file: string, source: string): Message[] {
  const found: Message[] = [];
  const visit = (value: unknown, kind: MessageKind): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, kind);
    if (!isNode(value) || WITHOUT_TEXT.test(value.type)) return;
    const text = textOf(value, source);
    if (text !== undefined && SENTENCE.test(text.words)) {
      found.push({ file, line: source.slice(0, value.start).split("\n").length, kind, ...text });
      return;
    }
    const below = kindBelow(value, kind);
    for (const [key, child] of Object.entries(value)) if (key !== "type") visit(child, below);
  };
  visit(parseSync(file, source).program, "text");
  return found;
}

export function allMessages(root: string): Message[] {
  return sourceFiles(root).flatMap((file) => messagesIn(file, readFileSync(join(root, file), "utf8")));
}

export function sourceFiles(root: string): string[] {
  const below = (folder: string): string[] => readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return FOLDERS.flatMap((folder) => below(folder).map((name) => `${folder}/${name.replaceAll("\\", "/")}`))
    .filter((file) => SOURCE.test(file))
    .toSorted();
}
