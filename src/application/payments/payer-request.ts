import { internationalPhone, PHONE_RULE } from '../../domain/customers/phone';
import { UNKNOWN_PAYER, type Payer } from '../../domain/shared/purchase-details';
import type { FieldErrorCollector } from '../../domain/shared/validation';

/** `payer` of a request, already validated against openapi.yaml. */
export interface PayerRequest {
  readonly ip?: string | null;
  readonly phone?: string | null;
}

export function readPayer(payer: PayerRequest | null | undefined, fieldErrors: FieldErrorCollector): Payer {
  const { ip = null, phone = null } = payer ?? UNKNOWN_PAYER;
  if (phone !== null && internationalPhone(phone) === null) fieldErrors.add('payer.phone', PHONE_RULE);
  return { ip, phone };
}
