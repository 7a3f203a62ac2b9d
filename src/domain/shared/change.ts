/** New values for some fields. An omitted or undefined field keeps its value. */
export type Change<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

/** Returns `before` with the change applied. */
export function applyChange<T extends object>(before: T, change: Change<T>): T {
  const defined = Object.entries<unknown>(change).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(defined) };
}

/** The names of the fields that differ. `fields` maps a name to its field. */
export function changedFieldNames<T>(
  fields: Readonly<Record<string, keyof T>>,
  before: T,
  after: T,
): string[] {
  return Object.entries(fields)
    .filter(([, field]) => before[field] !== after[field])
    .map(([name]) => name);
}
