import { RequestError } from './request-error';

/** 128 random bits in hex. `crypto.randomUUID` is not available on pages without TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Idempotency keys of one dialog. A double click and a retry after a lost response reuse the key of the same request,
 * so the API processes it once. A changed request, or a retry after a response, gets a new key.
 */
export class IdempotencyKeys {
  private last: { readonly request: string; readonly key: string } | null = null;

  keyFor(body: object): string {
    const request = JSON.stringify(body);
    if (this.last?.request !== request) this.last = { request, key: newIdempotencyKey() };
    return this.last.key;
  }

  /** Starts a new key when the result of the last request is known. */
  handleError(error: unknown): void {
    if (!(error instanceof RequestError) || !error.isOutcomeUnknown) this.last = null;
  }
}
