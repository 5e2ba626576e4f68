/** The fields of an instance as a first read and a first update show them: facts that several checks judge. */
import { type Answered, isSuccess } from "../../src/client/exchange.ts";
import { type Fixture, fixture, type Scope } from "../../src/harness/context.ts";
import type { Sighting } from "../../src/harness/settle.ts";
import type { Difference } from "../../src/model/difference.ts";
import { withBench } from "./benches.ts";
import { bare, created, STATUS, update } from "./instances.ts";
import { bodyOf, type Field, fieldDifference, FIELDS, readUntil } from "./reading.ts";
import type { JsonObject } from "../../src/model/json.ts";

export interface FieldView {
  /** Null when there was no instance object at all; then `problems` says what there was. */
  readonly body: JsonObject | null;
  readonly problems: readonly Difference[];
  readonly expected: Readonly<Record<Field, string>>;
  readonly exchange: Answered;
  readonly sightings: readonly Sighting[];
}

export interface FieldFacts {
  readonly onRead: FieldView;
  readonly onUpdate: FieldView;
  /** The updated instance as it was read before. */
  readonly onReadBefore: FieldView;
}

/**
 * The read to hold against the update's answer. The name is never sent by an update: when a read of the same instance shows it
 * wrong as well, it is the field that is wrong, not the update.
 */
export function readingOf({ onRead, onReadBefore }: FieldFacts, field: Field): FieldView {
  const sameInstance = field === "name" && fieldState(onRead, field) === "right" && onReadBefore.body !== null;
  return sameInstance ? onReadBefore : onRead;
}

/** A first read, of an instance that nobody updates. */
export const readView: Fixture<FieldView> = fixture("admin", "the fields on read", (scope) => viewOnRead(scope));

export const fieldFacts: Fixture<FieldFacts> = fixture("admin", "the fields on read and on update", async (scope) => {
  const [onRead, updated] = await Promise.all([scope.use(readView), viewsOnUpdate(scope)]);
  return { onRead, ...updated };
});

async function viewOnRead(scope: Scope): Promise<FieldView> {
  const instance = created(await scope.use(bare));
  const expected = { name: instance.name, display_name: instance.displayName, status: STATUS, cluster: instance.cluster };
  const { value, sightings } = await readUntil(scope, instance, (body) =>
    FIELDS.flatMap((field) => fieldDifference(body, field, expected[field], "admin-4.GET")),
  );
  const { body, differences } = bodyOf(value, "admin-4.GET");
  return { body, problems: differences, expected, exchange: value, sightings };
}

async function viewsOnUpdate(scope: Scope): Promise<Pick<FieldFacts, "onUpdate" | "onReadBefore">> {
  return withBench(scope, async ({ instance, firstRead }) => {
    const displayName = `Plumbline update ${scope.run.unique()}`;
    const exchange = await update(scope, instance, displayName);
    const { body, differences } = bodyOf(exchange, "admin-4.PUT");
    const expected = { name: instance.name, display_name: displayName, status: STATUS, cluster: instance.cluster };
    const before = bodyOf(firstRead, "admin-4.GET");
    return {
      onUpdate: { body, problems: isSuccess(exchange) ? differences : [], expected, exchange, sightings: [] },
      onReadBefore: {
        body: before.body,
        problems: before.differences,
        expected: { ...expected, display_name: instance.displayName },
        exchange: firstRead,
        sightings: [],
      },
    };
  });
}

/** What is wrong with `field` where; null: there was no object to look at. */
export function fieldState(view: FieldView, field: Field): "right" | "missing" | "wrong" | null {
  if (view.body === null) return null;
  if (!Object.hasOwn(view.body, field)) return "missing";
  return view.body[field] === view.expected[field] ? "right" : "wrong";
}

/** Fields that are known to be wrong by themselves, so that other checks need not tell again. */
export async function knownBroken(scope: Scope): Promise<ReadonlySet<Field>> {
  const { onRead, onUpdate } = await scope.use(fieldFacts);
  return new Set(FIELDS.filter((field) => [onRead, onUpdate].some((view) => fieldState(view, field) !== "right" && view.body !== null)));
}
