import { ApiFailure } from './failure';

/** 128 random bits in hex. `crypto.randomUUID` is not there on pages without TLS. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The idempotency keys of one dialog. A double click, a lost answer and a second try send the same request under the
 * same key, so that it is carried out once; another request, or a new try after an answer, gets another key.
 */
export class RequestKeys {
  private last: { readonly request: string; readonly key: string } | null = null;

  keyFor(body: object): string {
    const request = JSON.stringify(body);
    if (this.last?.request !== request) this.last = { request, key: newKey() };
    return this.last.key;
  }

  /** The answer to the last request is known: what is sent from now on is meant anew. */
  failed(error: unknown): void {
    if (!(error instanceof ApiFailure) || !error.isOpen) this.last = null;
  }
}
