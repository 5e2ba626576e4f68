/** Describes the result of a check for Allure: its place in the report, its clauses, and its exchanges as attachments. */
import { AssertionError } from "node:assert";
import { createHash } from "node:crypto";
import * as allure from "allure-js-commons";
import { ALLURE_HTTP_EXCHANGE_SCHEMA_VERSION, type HttpExchange } from "allure-js-commons/http";
import { clauseOf, type Clause } from "../contract/catalogue.ts";
import { firstIdOf } from "../contract/ended-checks.ts";
import { DOCUMENTS, numberedName, sectionName } from "../contract/sections.ts";
import { contractLink } from "../model/page-link.ts";
import type { Check } from "./check.ts";
import { toldFirst } from "./judged.ts";
import type { CheckResult, ExchangeEvidence } from "./result.ts";
import { inOrder, lineOf, operationOf, scriptOf } from "./timeline.ts";
import type { WorkerInput } from "./vitest-types.ts";

function headerList(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

/** Returns the headers and the body of a request or a response. An empty body is left out. */
function headersAndBody(headers: Readonly<Record<string, string>>, text: string | null): Pick<HttpExchange["request"], "headers" | "body"> {
  if (text === null || text === "") return { headers: headerList(headers) };
  const contentType = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return { headers: headerList(headers), body: { encoding: "utf8", value: text, ...(contentType === undefined ? {} : { contentType }) } };
}

/** Returns an exchange in the JSON form that Allure's viewer of HTTP exchanges reads. */
export function toHttpExchange(exchange: ExchangeEvidence): HttpExchange {
  const { request, response } = exchange;
  const start = Date.parse(exchange.startedAt);
  return {
    schemaVersion: ALLURE_HTTP_EXCHANGE_SCHEMA_VERSION,
    request: { method: request.method, url: request.url, ...headersAndBody(request.headers, request.body) },
    ...(response === null ? {} : { response: { status: response.status, ...headersAndBody(response.headers, response.body) } }),
    ...(exchange.error === null ? {} : { error: { name: "no response", message: exchange.error } }),
    start,
    stop: start + Math.round(exchange.durationMs),
  };
}

/** Attaches an exchange as a step with its request and response. The step of the deciding exchange fails. */
async function attach(exchange: ExchangeEvidence, first: ExchangeEvidence): Promise<void> {
  const deciding = exchange.role === "deciding";
  const step = allure.step(lineOf(exchange, first), async () => {
    await allure.attachment("exchange", JSON.stringify(toHttpExchange(exchange)), {
      contentType: allure.ContentType.HTTP_EXCHANGE,
      fileExtension: ".httpexchange",
    });
    await allure.attachment("curl", exchange.curl, allure.ContentType.TEXT);
    // Allure's runtime can set the status of a step only through an assertion that fails in the step.
    if (deciding) throw new AssertionError({ message: "this response shows the violation" });
  });
  try {
    await step;
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
  }
}

function messageText(first: string, headers: Readonly<Record<string, string>>, content: string | null): string {
  const lines = [first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  return (content === null ? lines : [...lines, "", content]).join("\n");
}

function exchangeText(exchange: ExchangeEvidence): string {
  const { request, response, error, curl, alike, durationMs, startedAt } = exchange;
  const repeats = alike === undefined ? "" : ` (repeated ${alike} ${alike === 1 ? "time" : "times"}, with the same response)`;
  return [
    `${operationOf(exchange)}, ${startedAt}, ${Math.round(durationMs)} ms${repeats}`,
    messageText(`${request.method} ${request.url}`, request.headers, request.body),
    response === null ? (error ?? "no response") : messageText(`status ${response.status}`, response.headers, response.body),
    curl,
  ].join("\n\n");
}

/** Adds the exchanges of a passed check as one attachment. Few people open them, and each attachment needs two files. */
async function attachTogether(exchanges: readonly ExchangeEvidence[]): Promise<void> {
  const title = exchanges.length === 1 ? "1 exchange" : `${exchanges.length} exchanges`;
  await allure.attachment(title, exchanges.map(exchangeText).join(`\n\n${"-".repeat(80)}\n\n`), allure.ContentType.TEXT);
}

function descriptionOf(clauses: readonly Clause[], result: CheckResult, attached: number): string {
  const statements = clauses.map(
    (clause) =>
      `**${clause.id}** (${DOCUMENTS[clause.document].name}, section ${clause.section}, ${clause.level})\n\n> ${clause.statement}`,
  );
  const notes = result.outcomes
    .filter((outcome) => outcome.verdict !== "pass" && outcome.headline !== "")
    .map((outcome) => `${outcome.verdict}: ${outcome.clause}: ${outcome.headline}`);
  if (result.exchangesMade > attached) notes.push(`${attached} of this check's ${result.exchangesMade} exchanges are attached.`);
  return [...statements, ...notes].join("\n\n");
}

/** The Allure id of a check. It is the same in each run, and does not depend on the file that declares the test. */
export function allureIdOf(check: string): string {
  return createHash("md5").update(firstIdOf(check)).digest("hex");
}

/** Describes a check in Allure. Values that differ between runs are not part of its identity. */
export async function describeInAllure(check: Check, result: CheckResult, input: WorkerInput): Promise<void> {
  // `told` also has outcomes of clauses that the check does not name, because a check can find a violation of any clause.
  const told = toldFirst(result);
  const clauses = told.map(({ clause }) => clauseOf(clause));
  const [primary, ...others] = clauses;
  if (primary === undefined) return;
  const isPass = result.verdict === "pass";
  const shown = isPass ? result.exchanges : inOrder(result.exchanges);
  const [first] = shown;
  const target = check.service === "admin" ? input.settings.admin : input.settings.logs;
  await allure.displayName(check.title);
  await allure.testCaseId(allureIdOf(check.id));
  await allure.historyId(allureIdOf(check.id));
  await allure.epic(numberedName(primary.document));
  await allure.feature(sectionName(primary));
  // A failed test has only its first violated clause as an Allure story. Allure would count the test again under each further story.
  await allure.story(primary.id);
  for (const { id } of others) await allure.label("clause", id);
  await allure.links(...clauses.map(({ id }) => ({ url: contractLink(id), name: id, type: "contract" })));
  for (const { deviation } of result.outcomes) if (deviation?.link) await allure.issue(deviation.link, "accepted deviation");
  await allure.severity(clauses.some(({ level }) => level === "stated") ? allure.Severity.CRITICAL : allure.Severity.NORMAL);
  const attached = shown.reduce((sum, { alike = 0 }) => sum + 1 + alike, 0);
  await allure.description(descriptionOf(clauses, result, attached));
  const parameters = {
    seed: String(input.settings.seed),
    cases: result.cases === null ? "1" : String(result.cases),
    "run id": input.runId,
    url: target?.baseUrl ?? "not configured",
  };
  for (const [name, value] of Object.entries(parameters)) await allure.parameter(name, value, { excluded: true });
  if (first === undefined) return;
  const deciding = shown.find(({ role }) => role === "deciding");
  if (deciding !== undefined) {
    await allure.attachment("curl command for the wrong response", deciding.curl, allure.ContentType.TEXT);
    if (shown.length > 1) await allure.attachment("script that repeats these requests", scriptOf(shown), allure.ContentType.TEXT);
  }
  if (isPass) await attachTogether(shown);
  else for (const exchange of shown) await attach(exchange, first);
}
