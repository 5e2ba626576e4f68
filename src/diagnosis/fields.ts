/** Compares the fields of an instance in a read and in an update, to find whether the field, the read or the update is wrong. */
import type { JsonObject } from "../model/json.ts";

export const FIELDS = ["name", "display_name", "status", "cluster"] as const;
export type Field = (typeof FIELDS)[number];

/** A view of an instance: the instance object of one response, and the values that its fields must have. */
export interface FieldView {
  /** The body of the response, or null if the response contained no instance object. */
  readonly body: JsonObject | null;
  readonly expected: Readonly<Record<Field, string>>;
}

/** The views of two instances: the first instance was read and then updated, and the second instance was only read. */
export interface FieldViews<View extends FieldView> {
  readonly onRead: View;
  readonly onUpdate: View;
  /** The view from the read of the first instance before its update. */
  readonly onReadBefore: View;
}

export type FieldState = "right" | "missing" | "wrong";

/** Returns the state of `field` in a view, or null if the view has no instance object. */
export function fieldState({ body, expected }: FieldView, field: Field): FieldState | null {
  if (body === null) return null;
  if (!Object.hasOwn(body, field)) return "missing";
  return body[field] === expected[field] ? "right" : "wrong";
}

/**
 * Returns the read to compare with an update. If reads of the updated instance show a wrong name too, the field `name` is wrong and not the
 * update, because an update does not send the name.
 */
export function readingOf<View extends FieldView>({ onRead, onReadBefore }: FieldViews<View>, field: Field): View {
  const sameInstance = field === "name" && fieldState(onRead, field) === "right" && onReadBefore.body !== null;
  return sameInstance ? onReadBefore : onRead;
}

/** Returns a view with a wrong value of the field, or null if at least one response shows the right value. */
export function wrongFieldIn<View extends FieldView>(views: FieldViews<View>, field: Field): View | null {
  const onRead = readingOf(views, field);
  const [reading, updating] = [fieldState(onRead, field), fieldState(views.onUpdate, field)];
  if (reading === null && updating === null) return null;
  if (reading === "wrong" || (reading === "missing" && updating === "missing")) return onRead;
  return reading === null && updating !== "right" ? views.onUpdate : null;
}

/** Returns the fields that a read lacks, although the response of the update has them. Such a field is a defect of the read. */
export function missingOnRead({ onRead, onUpdate }: FieldViews<FieldView>): Field[] {
  return FIELDS.filter((field) => fieldState(onRead, field) === "missing" && fieldState(onUpdate, field) !== "missing");
}

/** Returns the fields that only an update shows wrongly. Any text in `status` is right, as the status may change during an update. */
export function wrongOnUpdate(views: FieldViews<FieldView>): Field[] {
  return FIELDS.filter((field) => {
    if (field === "status" && typeof views.onUpdate.body?.["status"] === "string") return false;
    const state = fieldState(views.onUpdate, field);
    return state !== null && state !== "right" && fieldState(readingOf(views, field), field) === "right";
  });
}

/** Returns the fields that are wrong in the read or in the update, so that no other check reports these wrong fields again. */
export function knownBroken({ onRead, onUpdate }: FieldViews<FieldView>): ReadonlySet<Field> {
  return new Set(FIELDS.filter((field) => [onRead, onUpdate].some((view) => view.body !== null && fieldState(view, field) !== "right")));
}
