import type { Declined, GatewayContext } from '../gateway';
import type { GatewayHttpResponse } from '../http';
import { read, send } from './calls';
import { declined, wordOf402 } from './declines';
import { codesOf, ownError } from './errors';
import { paymentReply, type MercadoPagoPayment } from './wire';

type CreationAnswer = { readonly payment: MercadoPagoPayment } | { readonly declined: Declined };

/** `POST /v1/payments`: a rejected payment is an answer of 201, and a 402 is a decline without a payment. */
export async function createPayment(ctx: GatewayContext, body: object): Promise<CreationAnswer> {
  const { idempotencyKey, sendBefore } = ctx;
  const response = await send(ctx, { method: 'POST', path: 'payments', body, idempotencyKey, sendBefore });
  const refusal = declineOf402(response, null);
  if (refusal !== null) return { declined: refusal };
  return { payment: read(response, paymentReply) };
}

/** 402 is "the payment could not be processed": sdk-nodejs 3.6.1, MPPaymentError. Null for any other answer. */
export function declineOf402(
  response: GatewayHttpResponse,
  gatewayTransactionId: string | null,
): Declined | null {
  const error = response.status === 402 ? ownError(response) : null;
  if (error === null) return null;
  const texts = [
    ...codesOf(error),
    ...(error.cause ?? []).map((each) => each.description ?? ''),
    error.message,
  ];
  return declined(wordOf402(texts), gatewayTransactionId);
}
