import { answerOf, api, type Schema } from '../../api/client';
import { linkAddress } from '../pay/billing-address';

export type Session = Schema<'CheckoutSession'>;
export type Payment = Schema<'Payment'>;
export type Purchase = Schema<'CheckoutPayRequest'>;

/** Who buys, as the form has it. */
export interface Buyer {
  readonly name: string;
  readonly email: string;
  /** Digits. */
  readonly document: string;
  /** Empty for none. */
  readonly coupon: string;
}

/** Throws `ApiFailure`, as all of these do. */
export function openSession({ name, email, document, coupon }: Buyer): Promise<Session> {
  const body = { full_name: name, email, cpf_cnpj: document, ...(coupon !== '' && { coupon_code: coupon }) };
  return answerOf(api.POST('/p/{companySlug}/{linkSlug}/session', { params: { path: linkAddress }, body }));
}

export function lookAt(token: string): Promise<Session> {
  return answerOf(api.GET('/checkout/session', { headers: { 'X-Checkout-Token': token } }));
}

/** What became of it is told by the session. */
export async function pay(token: string, key: string, body: Purchase): Promise<void> {
  const headers = { 'X-Checkout-Token': token };
  const params = { header: { 'Idempotency-Key': key } };
  await answerOf<unknown>(api.POST('/checkout/pay', { headers, params, body }));
}
