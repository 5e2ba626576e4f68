/** The fields of an instance in a first read and in a first update. Several checks judge these fields. */
import { type Field, FIELDS, type FieldView, type FieldViews, knownBroken } from "../diagnosis/fields.ts";
import { type Answered, isSuccess } from "../client/exchange.ts";
import { precondition } from "../client/inconclusive.ts";
import { fixture, type Scope } from "../harness/scope.ts";
import type { Attempt } from "../harness/settle.ts";
import type { Difference } from "../model/difference.ts";
import { bare, created, type Instance, STATUS, update } from "./instances.ts";
import { withInstance } from "./instance-pool.ts";
import { bodyOf, fieldDifference, readUntil } from "./reading.ts";

/** A response that should be an instance object. */
interface InstanceView extends FieldView {
  /** The differences because of which the response is no instance object. */
  readonly problems: readonly Difference[];
  readonly exchange: Answered;
  readonly attempts: readonly Attempt[];
}

/** The first read of an instance that no check updates. */
export const readView = fixture<InstanceView>("admin", "the fields on read", async (scope) => {
  const instance = created(await scope.use(bare));
  const expected = fieldsOf(instance, instance.displayName);
  const { value, attempts } = await readUntil(scope, instance, (body) =>
    FIELDS.flatMap((field) => fieldDifference(body, field, expected[field], "admin-4.GET")),
  );
  const { body, differences } = bodyOf(value, "admin-4.GET");
  return { body, problems: differences, expected, exchange: value, attempts };
});

function fieldsOf({ name, cluster }: Instance, displayName: string): FieldView["expected"] {
  return { name, display_name: displayName, status: STATUS, cluster };
}

export const fieldViews = fixture<FieldViews<InstanceView>>("admin", "the fields on read and on update", async (scope) => {
  const [onRead, updated] = await Promise.all([scope.use(readView), viewsOnUpdate(scope)]);
  return { onRead, ...updated };
});

async function viewsOnUpdate(scope: Scope): Promise<Pick<FieldViews<InstanceView>, "onUpdate" | "onReadBefore">> {
  return withInstance(scope, async ({ instance, firstRead }) => {
    const displayName = `Plumbline update ${scope.unique()}`;
    const exchange = await update(scope, instance, displayName);
    const { body, differences } = bodyOf(exchange, "admin-4.PUT");
    const before = bodyOf(firstRead, "admin-4.GET");
    const [expected, had] = [fieldsOf(instance, displayName), fieldsOf(instance, instance.displayName)];
    return {
      onUpdate: { body, problems: isSuccess(exchange) ? differences : [], expected, exchange, attempts: [] },
      onReadBefore: { body: before.body, problems: before.differences, expected: had, exchange: firstRead, attempts: [] },
    };
  });
}

/** Fields that are wrong without any update. Other checks do not report them again. */
export const brokenFields = fixture<ReadonlySet<Field>>("admin", "fields that are wrong without any change", async (scope) =>
  knownBroken(await scope.use(fieldViews)),
);

/** Throws `Inconclusive` if the display name is already known to be wrong. `reason` says why the check then cannot judge. */
export async function requireDisplayName(scope: Scope, reason: string): Promise<void> {
  if ((await scope.use(brokenFields)).has("display_name")) throw precondition(`${reason} (see admin-2.field.display_name)`);
}
