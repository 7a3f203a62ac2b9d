import { fromCompactReference } from '../../gateways/compact-reference';
import { transactionOf } from '../../gateways/simulator/wire';
import type { StoredCharge } from '../charge-store';

/** The longest run of what a compact reference is made of. */
const COMPACT = /(?<![0-9a-z])[0-9a-z]{26,35}(?![0-9a-z])/;

/**
 * A merchant's reference as the core knows it: scripts and control routes find a payment by our own form of it. A driver may write
 * something before or behind the compact form.
 */
export const ownReference = (text: string): string =>
  fromCompactReference(COMPACT.exec(text)?.[0] ?? '') ?? text;

/**
 * The reference of a capture, cancel or refund: the first of `given` that belongs to the payment and is not the charge's, or
 * else the charge's with the operation's name.
 */
export function followUpReference(
  charge: StoredCharge,
  operation: 'capture' | 'cancel' | 'refund',
  given: readonly (string | null)[],
): string {
  const transaction = transactionOf(charge.reference);
  const own = given.find(
    (value) => value !== null && value.startsWith(transaction) && value !== charge.reference,
  );
  if (own !== undefined && own !== null) return own;
  const nth = 1 + charge.operations.filter((each) => each.operation === operation).length;
  return `${charge.reference}-${operation}${nth === 1 ? '' : `-${nth}`}`;
}
