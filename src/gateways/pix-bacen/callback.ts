import { createHash } from 'node:crypto';
import type { CallbackHint, CallbackReading, RawCallback } from '../callback';
import { fromCompactReference } from '../compact-reference';
import { ownChargeReference } from '../own-references';
import { parseJson } from '../parse-json';
import { verifyStaticToken } from '../callbacks/static-token';
import { isSpecialReturn } from './disputes';
import { callbackBody, callbackTest, type PixTransfer } from './wire';

/** The parameter of the callback's address that has the webhook secret. */
const PROOF_PARAMETER = 'hmac';

/** `listaPix` of the Pix API 2.9.0: transfers that arrived, and returns that have a result. */
export function readPixCallback({ body }: RawCallback): CallbackReading {
  const json = parseJson(body.toString('utf8'));
  const callback = callbackBody.safeParse(json);
  if (!callback.success) return { kind: callbackTest.safeParse(json).success ? 'foreign' : 'unreadable' };
  const hints = callback.data.pix.flatMap(hintOf);
  return hints.length === 0 ? { kind: 'foreign' } : { kind: 'hints', hints };
}

/** A transfer to a charge that is not ours, or to none, is not for this service. */
function hintOf(transfer: PixTransfer): CallbackHint[] {
  const reference = ownChargeReference(fromCompactReference(transfer.txid ?? ''));
  if (reference === null) return [];
  return [
    {
      eventId: eventIdOf(transfer),
      kind: transfer.devolucoes.some(isSpecialReturn) ? 'chargeback' : 'status',
      subject: { reference, gatewayTransactionId: transfer.txid ?? null },
      reportedState: null,
    },
  ];
}

/** The callback has no id. A transfer is reported again when one of its returns has a result. */
function eventIdOf({ endToEndId, devolucoes }: PixTransfer): string {
  const returns = devolucoes.map(({ id, status }) => `${id}:${status}`);
  return createHash('sha256')
    .update(JSON.stringify([endToEndId, returns]))
    .digest('hex');
}

/**
 * Banks prove a callback by a client certificate, which ends at the proxy in front of this service. What remains is the secret in the
 * address, to which the bank appends `/pix`.
 */
export function verifyPixCallback(
  { query }: RawCallback,
  secrets: readonly string[],
): 'valid' | 'invalid' | 'unsigned' {
  const given = new URLSearchParams(query).get(PROOF_PARAMETER)?.replace(/\/pix$/, '');
  return verifyStaticToken(given || undefined, secrets);
}
