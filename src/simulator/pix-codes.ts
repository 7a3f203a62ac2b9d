import { randomBytes } from 'node:crypto';
import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';

/** An unregistered random key (EVP): bank apps can read the code, but cannot send money to it. */
const KEY = '51a1b0c5-0000-4000-8000-000000000000';
/** An unassigned ISPB. */
const PAYER_BANK = '99999999';
const TXID_CHARACTERS = 25;
const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/**
 * The BR Code of a charge ("copia e cola"). It is a static code with key, amount and txid: the amount of a dynamic code
 * is in a document served by the receiver's bank, which a sandbox does not have.
 */
export function pixCode(amountCents: number, uuid: string): string {
  const code = generatePixPayload({
    key: KEY,
    merchantName: 'Loja do Simulador',
    merchantCity: 'Sao Paulo',
    amount: amountCents / 100,
    txid: uuid.replaceAll('-', '').slice(-TXID_CHARACTERS),
  });
  if (code === null) throw new Error(`no BR Code for ${amountCents} cents`);
  return code;
}

/** The pix end-to-end id of a transfer: `E`, the payer's bank, the UTC minute, 11 free characters. */
export function endToEndId(paidAt: Date): string {
  const minutes = paidAt.toISOString().replace(/\D/g, '').slice(0, 12);
  const suffix = [...randomBytes(11)]
    .map((byte) => ALPHANUMERICS.charAt(byte % ALPHANUMERICS.length))
    .join('');
  return `E${PAYER_BANK}${minutes}${suffix}`;
}
