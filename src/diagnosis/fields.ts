/** The fields of an instance as a read and an update show them: whether the field, the read or the update is wrong. */
import type { JsonObject } from "../model/json.ts";

export const FIELDS = ["name", "display_name", "status", "cluster"] as const;
export type Field = (typeof FIELDS)[number];

/** An instance object that some answer showed, and what its fields had to be. */
export interface FieldView {
  /** Null when there was no instance object at all. */
  readonly body: JsonObject | null;
  readonly expected: Readonly<Record<Field, string>>;
}

/** The same instance read and updated, and another one that was only read. */
export interface FieldViews<View extends FieldView> {
  readonly onRead: View;
  readonly onUpdate: View;
  /** The updated instance as it was read before. */
  readonly onReadBefore: View;
}

export type FieldState = "right" | "missing" | "wrong";

/** What is wrong with `field`; null: there was no object to look at. */
export function fieldState({ body, expected }: FieldView, field: Field): FieldState | null {
  if (body === null) return null;
  if (!Object.hasOwn(body, field)) return "missing";
  return body[field] === expected[field] ? "right" : "wrong";
}

/**
 * The read to hold against the update's answer. The name is never sent by an update: when a read of the same instance shows it
 * wrong as well, it is the field that is wrong, not the update.
 */
export function readingOf<View extends FieldView>({ onRead, onReadBefore }: FieldViews<View>, field: Field): View {
  const sameInstance = field === "name" && fieldState(onRead, field) === "right" && onReadBefore.body !== null;
  return sameInstance ? onReadBefore : onRead;
}

/** The view that shows the field itself wrong, wherever it is looked at; null when it is right somewhere it was sent. */
export function wrongFieldIn<View extends FieldView>(views: FieldViews<View>, field: Field): View | null {
  const onRead = readingOf(views, field);
  const [reading, updating] = [fieldState(onRead, field), fieldState(views.onUpdate, field)];
  if (reading === null && updating === null) return null;
  if (reading === "wrong" || (reading === "missing" && updating === "missing")) return onRead;
  return reading === null && updating !== "right" ? views.onUpdate : null;
}

/** Fields that a read lacks and an update's answer does not: the read is wrong. */
export function missingOnRead({ onRead, onUpdate }: FieldViews<FieldView>): Field[] {
  return FIELDS.filter((field) => fieldState(onRead, field) === "missing" && fieldState(onUpdate, field) !== "missing");
}

/**
 * Fields that an update's answer shows wrong though a read shows them right: the update is wrong. Another status is no wrong one: an
 * instance may be in other states while it is changed, which are not shown.
 */
export function wrongOnUpdate(views: FieldViews<FieldView>): Field[] {
  return FIELDS.filter((field) => {
    if (field === "status" && typeof views.onUpdate.body?.["status"] === "string") return false;
    const state = fieldState(views.onUpdate, field);
    return state !== null && state !== "right" && fieldState(readingOf(views, field), field) === "right";
  });
}

/** Fields that are wrong by themselves, so that other checks need not tell again. */
export function knownBroken({ onRead, onUpdate }: FieldViews<FieldView>): ReadonlySet<Field> {
  return new Set(FIELDS.filter((field) => [onRead, onUpdate].some((view) => view.body !== null && fieldState(view, field) !== "right")));
}
