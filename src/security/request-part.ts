import { createHmac } from 'node:crypto';
import { REQUEST_PART_LENGTH } from '../domain/shared/ids';
import { byEachKey, type KeyedValues, type SecretKeys } from './secret-keys';

/**
 * The end of the id of a payment, by each key: the same for the same idempotency key of a company. It is at the gateway in the reference
 * of the charge, so that after a restore a repeated request finds the charge that was made for it.
 */
export function requestParts(keys: SecretKeys, companyId: number, idempotencyKey: string): KeyedValues {
  const text = JSON.stringify(['payment', companyId, idempotencyKey]);
  return byEachKey(keys, (key) =>
    createHmac('sha256', key).update(text).digest('hex').slice(0, REQUEST_PART_LENGTH),
  );
}
