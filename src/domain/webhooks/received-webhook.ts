/** Result of the check of a received message's signature. `expired`: its timestamp is too far from the time of receipt. */
export type SignatureCheck = 'valid' | 'invalid' | 'expired' | 'missing';

/** Messages that are kept of a company. */
export const MAX_RECEIVED = 50;
/** How long a message is kept. */
export const RECEIVED_LIFETIME_MS = 7 * 86_400_000;

/** The headers that matter to a receiver; others are not kept. */
const KEPT_HEADERS = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
const MAX_HEADER_LENGTH = 1_000;

export interface ReceivedHeader {
  readonly name: string;
  readonly value: string;
}

/** The headers to keep of a message. `headers`: by their names in lower case. */
export function keptHeaders(headers: Readonly<Record<string, string | undefined>>): ReceivedHeader[] {
  return KEPT_HEADERS.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [{ name, value: value.slice(0, MAX_HEADER_LENGTH) }];
  });
}
