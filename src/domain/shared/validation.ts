import type { FieldErrors } from './errors';

/** A valid value, or all its errors. */
export type Validated<T> =
  | { readonly valid: true; readonly value: T }
  | { readonly valid: false; readonly errors: FieldErrors };

/** Collects errors by dotted path, so that one response reports all of them. */
export class FieldErrorCollector {
  private readonly messages = new Map<string, string[]>();

  add(path: string, message: string): void {
    this.messages.set(path, [...(this.messages.get(path) ?? []), message]);
  }

  addAll(errors: FieldErrors): void {
    for (const [path, messages] of Object.entries(errors)) {
      for (const message of messages) this.add(path, message);
    }
  }

  get hasErrors(): boolean {
    return this.messages.size > 0;
  }

  get errors(): FieldErrors {
    return Object.fromEntries(this.messages);
  }
}

/** `joinPath('card', 'number')` is `card.number`. The prefix is empty at the top level. */
export function joinPath(prefix: string, field: string | number): string {
  return prefix === '' ? String(field) : `${prefix}.${field}`;
}
