import type { FieldErrors } from './errors';

/** A value that passed, or everything that is wrong with it. */
export type Validated<T> =
  { readonly valid: true; readonly value: T } | { readonly valid: false; readonly errors: FieldErrors };

/** Gathers what is wrong, by dotted path, so that one answer names every fault. */
export class FaultCollector {
  private readonly faults = new Map<string, string[]>();

  add(path: string, message: string): void {
    this.faults.set(path, [...(this.faults.get(path) ?? []), message]);
  }

  addAll(errors: FieldErrors): void {
    for (const [path, messages] of Object.entries(errors)) {
      for (const message of messages) this.add(path, message);
    }
  }

  get found(): boolean {
    return this.faults.size > 0;
  }

  get errors(): FieldErrors {
    return Object.fromEntries(this.faults);
  }
}

/** `join('card', 'number')` is `card.number`; at the top level the prefix is empty. */
export function joinPath(prefix: string, field: string | number): string {
  return prefix === '' ? String(field) : `${prefix}.${field}`;
}
