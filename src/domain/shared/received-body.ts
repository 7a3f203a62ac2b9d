/** A request body as the client sent it, kept on the parsed body. Copies made by spreading keep it too. */
const RECEIVED = Symbol('received body');

/**
 * Keeps the present form of a parsed JSON body, before validation fills in the contract's defaults. Only idempotency needs
 * it: a default that the contract gets later must not change what an old request hashes to.
 */
export function keepReceivedBody(body: unknown): void {
  if (isObject(body)) Object.assign(body, { [RECEIVED]: structuredClone(body) });
}

/** The body as the client sent it; the body itself if it did not come from a client. */
export function receivedBody(body: unknown): unknown {
  return isObject(body) && RECEIVED in body ? body[RECEIVED] : body;
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
