/** Where our references are in Stripe's metadata. */
export const REFERENCE_KEY = 'reference';
/** On a PaymentIntent: our reference of its capture. */
export const CAPTURE_KEY = 'capture_reference';

const CHARGE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d{1,3}$/;
const OPERATION = /^(.+)-(capture|cancel|refund)(?:-\d+)?$/;

export type Operation = 'charge' | 'capture' | 'cancel' | 'refund';

/** What our reference is of. An authorization counts as a charge. */
export function operationOf(reference: string): Operation {
  return (OPERATION.exec(reference)?.[2] as Exclude<Operation, 'charge'> | undefined) ?? 'charge';
}

/** The reference of the charge that an operation is on; of a charge its own. */
export function chargeReferenceOf(reference: string): string {
  return OPERATION.exec(reference)?.[1] ?? reference;
}

/** The reference of the charge, if the text is one of our references; null for any other text. */
export function ownChargeReference(text: string | undefined): string | null {
  const reference = chargeReferenceOf(text ?? '');
  return CHARGE.test(reference) ? reference : null;
}
