import { randomBytes } from 'node:crypto';
import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';

/** A random key (EVP) that nobody has registered: an app reads the code, and no real money can follow it. */
const KEY = '51a1b0c5-0000-4000-8000-000000000000';
/** An ISPB that no institution has. */
const PAYERS_BANK = '99999999';
const TXID_CHARACTERS = 25;
const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/**
 * The BR Code of a charge, "copia e cola". It is a static one with key, amount and txid: of a dynamic one an app learns
 * the amount only from a document that the receiver's bank serves at the code's URL, and no sandbox is that bank.
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

/** What the instant payment system calls one transfer: `E`, the payer's bank, UTC minutes, 11 characters of its choice. */
export function endToEndId(paidAt: Date): string {
  const minutes = paidAt.toISOString().replace(/\D/g, '').slice(0, 12);
  const own = [...randomBytes(11)].map((byte) => ALPHANUMERICS.charAt(byte % ALPHANUMERICS.length)).join('');
  return `E${PAYERS_BANK}${minutes}${own}`;
}
