/** Some fields of a thing with their new values; what is left out, or undefined, stays. */
export type Change<T> = { readonly [Field in keyof T]?: T[Field] | undefined };

/** The thing as it is after a change. */
export function changed<T extends object>(before: T, change: Change<T>): T {
  const named = Object.entries<unknown>(change).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(named) };
}

/** Which of these fields a change changes, by the names given to them here. */
export function differing<T>(fields: Readonly<Record<string, keyof T>>, before: T, after: T): string[] {
  return Object.entries(fields)
    .filter(([, field]) => before[field] !== after[field])
    .map(([name]) => name);
}
