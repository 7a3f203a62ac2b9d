import { createHmac, timingSafeEqual } from 'node:crypto';
import type { NotificationItem } from './wire';

/** What a signature covers: https://docs.adyen.com/development-resources/webhooks/verify-hmac-signatures */
function signedFields(item: NotificationItem): readonly string[] {
  return [
    item.pspReference,
    item.originalReference ?? '',
    item.merchantAccountCode,
    item.merchantReference ?? '',
    String(item.amount?.value ?? ''),
    item.amount?.currency ?? '',
    item.eventCode,
    item.success,
  ];
}

/**
 * Whether no other item has the same signed text. Adyen joins the fields by colons and does not escape them, so that a part of a
 * foreign reference could be read as another field.
 */
export function isUnequivocal(item: NotificationItem): boolean {
  return signedFields(item).every((field) => !field.includes(':'));
}

/** An item has one signature. Runs in constant time for a given number of secrets. */
export function verifyItem(
  item: NotificationItem,
  secrets: readonly string[],
): 'valid' | 'invalid' | 'unsigned' {
  const given = item.additionalData?.hmacSignature ?? '';
  if (given === '' || secrets.length === 0) return 'unsigned';
  const signature = Buffer.from(given, 'base64');
  const text = signedFields(item).join(':');
  const expected = secrets.map((secret) => createHmac('sha256', keyOf(secret)).update(text).digest());
  const matches = expected.filter(
    (digest) => digest.length === signature.length && timingSafeEqual(digest, signature),
  );
  return matches.length > 0 && isUnequivocal(item) ? 'valid' : 'invalid';
}

const HEX_KEY = /^(?:[0-9a-f]{2}){16,}$/i;

/** Adyen's key is shown as hex digits. Any other text is taken as it is: read as hex it could be an empty key. */
function keyOf(secret: string): Buffer {
  return Buffer.from(secret, HEX_KEY.test(secret) ? 'hex' : 'utf8');
}
