const CHARGE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d{1,3}$/;
const OPERATION = /^(.+)-(capture|cancel|refund)(?:-\d+)?$/;

export type ReferencedOperation = 'charge' | 'capture' | 'cancel' | 'refund';

/** What our reference is of. An authorization counts as a charge. */
export function operationOf(reference: string): ReferencedOperation {
  return (OPERATION.exec(reference)?.[2] as Exclude<ReferencedOperation, 'charge'> | undefined) ?? 'charge';
}

/** The reference of the charge that an operation is on; of a charge its own. */
export function chargeReferenceOf(reference: string): string {
  return OPERATION.exec(reference)?.[1] ?? reference;
}

/** The reference of the charge, if the text is one of our references; null for any other text. */
export function ownChargeReference(text: string | null | undefined): string | null {
  const reference = chargeReferenceOf(text ?? '');
  return CHARGE.test(reference) ? reference : null;
}
