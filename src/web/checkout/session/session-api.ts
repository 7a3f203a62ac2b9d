import { unwrapBody, api, type Schema } from '../../api/client';
import { linkPath } from '../page-data';

export type Session = Schema<'CheckoutSession'>;
export type Payment = Schema<'Payment'>;
export type PayRequest = Schema<'CheckoutPayRequest'>;

export interface BuyerDetails {
  readonly name: string;
  readonly email: string;
  /** CPF or CNPJ without punctuation, in upper case. Empty where none is asked for. */
  readonly document: string;
  /** Empty without a coupon. */
  readonly coupon: string;
}

/** Throws `RequestError`, like all functions here. */
export function openSession({ name, email, document, coupon }: BuyerDetails): Promise<Session> {
  const body = {
    full_name: name,
    email,
    ...(document !== '' && { cpf_cnpj: document }),
    ...(coupon !== '' && { coupon_code: coupon }),
  };
  return unwrapBody(api.POST('/p/{companySlug}/{linkSlug}/session', { params: { path: linkPath }, body }));
}

export function getSession(token: string): Promise<Session> {
  return unwrapBody(api.GET('/checkout/session', { headers: { 'X-Checkout-Token': token } }));
}

/** The session shows the result. */
export async function postPayment(token: string, key: string, body: PayRequest): Promise<void> {
  const headers = { 'X-Checkout-Token': token };
  const params = { header: { 'Idempotency-Key': key } };
  await unwrapBody<unknown>(api.POST('/checkout/pay', { headers, params, body }));
}
