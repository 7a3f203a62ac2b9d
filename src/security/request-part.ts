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

const LEAST_NUMBER = 100_000_000;
const NUMBERS = 900_000_000;

/**
 * The number in the reference of a capture, cancel or refund, by each key: the same for the same idempotency key of a company, so that
 * after a restore a repeated request finds the operation that was made for it. Nine digits, so that it is no count. Empty without a key.
 */
export function operationNumbers(
  keys: SecretKeys,
  companyId: number,
  idempotencyKey: string | null,
): readonly number[] {
  if (idempotencyKey === null) return [];
  const text = JSON.stringify(['operation', companyId, idempotencyKey]);
  return byEachKey(keys, (key) => createHmac('sha256', key).update(text).digest('hex').slice(0, 12)).map(
    (hash) => LEAST_NUMBER + (Number.parseInt(hash, 16) % NUMBERS),
  );
}
