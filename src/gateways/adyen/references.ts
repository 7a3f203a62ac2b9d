import type { PaymentMethod } from '../../domain/payments/payment';
import { fromCompactReference, toCompactReference } from '../compact-reference';
import { chargeReferenceOf, operationOf, type ReferencedOperation } from '../own-references';

/**
 * Our references at Adyen: a letter, `_` and the compact form, because Adyen takes 80 characters and splits a reference at its hyphens
 * (OpenAPI, `PaymentRequest.reference`). A webhook does not tell what kind of charge it is about in any field that its signature
 * covers, except the reference, so the letter tells it.
 */
export type ChargeKind = 'sale' | 'authorization' | 'pix' | 'billet';
type ReferenceKind = ChargeKind | 'operation';

const LETTERS = {
  sale: 's',
  authorization: 'a',
  pix: 'p',
  billet: 'b',
  operation: 'o',
} as const satisfies Record<ReferenceKind, string>;
const KINDS: ReadonlyMap<string, ReferenceKind> = new Map(
  Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as ReferenceKind]),
);

/** What a reference in a webhook names. */
export type NamedReference =
  | { readonly kind: ChargeKind; readonly reference: string }
  | {
      readonly kind: 'operation';
      readonly reference: string;
      readonly operation: Exclude<ReferencedOperation, 'charge'>;
      readonly chargeReference: string;
    };

export function chargeReference(reference: string, kind: ChargeKind): string {
  return `${LETTERS[kind]}_${toCompactReference(reference)}`;
}

export function operationReference(reference: string): string {
  return `${LETTERS.operation}_${toCompactReference(reference)}`;
}

/** Of the verification of a card: `reference` is a UUID. Its webhook is not followed. */
export function verificationReference(reference: string): string {
  return `v_${toCompactReference(`${reference}-1`)}`;
}

export function kindOfCharge(method: PaymentMethod, isAuthorization: boolean): ChargeKind {
  if (method !== 'card') return method;
  return isAuthorization ? 'authorization' : 'sale';
}

/** Null if the text is none of our references. */
export function readReference(text: string | null | undefined): NamedReference | null {
  const [letter = '', compact = '', ...others] = (text ?? '').split('_');
  const kind = KINDS.get(letter);
  const reference = others.length > 0 ? null : fromCompactReference(compact);
  if (kind === undefined || reference === null) return null;
  const operation = operationOf(reference);
  // The letter and the reference must be of the same kind.
  if ((kind === 'operation') === (operation === 'charge')) return null;
  if (kind !== 'operation') return { kind, reference };
  return operation === 'charge'
    ? null
    : { kind, reference, operation, chargeReference: chargeReferenceOf(reference) };
}
