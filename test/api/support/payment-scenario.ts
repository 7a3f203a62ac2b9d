import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { paymentRequest } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import { expectStatus, type ApiClient, type RequestOptions } from './api-client';

/** A new idempotency key. */
export function newKey(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': randomUUID() };
}

/** An approved card payment. */
export function sale(client: ApiClient, change: object = {}): Promise<PaymentBody> {
  return cardPayment(client, change, 'approved');
}

export function authorization(client: ApiClient, change: object = {}): Promise<PaymentBody> {
  return cardPayment(client, { capture: false, ...change }, 'authorized');
}

async function cardPayment(client: ApiClient, change: object, status: string): Promise<PaymentBody> {
  const { body } = expectStatus(await client('createCardPayment', { body: paymentRequest(change) }), 200);
  expect(body.status).toBe(status);
  return body;
}

/** The body of a pix or billet, without card fields. */
export function pendingRequest(change: object = {}): object {
  const { merchant_order_id, amount, currency, customer } = paymentRequest();
  return { merchant_order_id, amount, currency, customer, ...change };
}

export async function pendingPix(client: ApiClient, change: object = {}): Promise<PaymentBody> {
  const { body } = expectStatus(await client('createPixPayment', { body: pendingRequest(change) }), 200);
  expect(body.status).toBe('pending');
  return body;
}

export async function pendingBillet(client: ApiClient, change: object = {}): Promise<PaymentBody> {
  const { body } = expectStatus(await client('createBilletPayment', { body: pendingRequest(change) }), 200);
  expect(body.status).toBe('pending');
  return body;
}

export async function found(client: ApiClient, { transaction_id: id }: PaymentBody): Promise<PaymentBody> {
  return expectStatus(await client('getPayment', { params: { id } }), 200).body;
}

/** Waits until the payment has this status and returns it. */
export function untilStatus(
  client: ApiClient,
  payment: PaymentBody,
  status: PaymentBody['status'],
): Promise<PaymentBody> {
  return waitFor(async () => {
    const current = await found(client, payment);
    if (current.status !== status) throw new Error(`the payment is ${current.status}, not ${status}`);
    return current;
  });
}

/** Advances the payment’s test clock by this many hours and waits until it reaches the target. */
export async function advanceClockByHours(
  client: ApiClient,
  payment: PaymentBody,
  hours: number,
): Promise<PaymentBody> {
  const { clock } = await found(client, payment);
  const from = clock === null ? Date.now() : Date.parse(clock.now);
  const advanceTo = new Date(from + hours * 3_600_000 + 60_000).toISOString();
  const request = { params: { id: payment.transaction_id }, body: { advance_to: advanceTo } };
  expectStatus(await client('movePaymentClock', request), 200);
  return waitFor(async () => {
    const current = await found(client, payment);
    if (current.clock?.reached !== true) throw new Error('the clock is still on its way');
    return current;
  });
}

/** The request options with the payment’s id as path parameter. */
export function to(payment: PaymentBody, options: RequestOptions = {}): RequestOptions {
  return { ...options, params: { id: payment.transaction_id } };
}

/** The payment’s operations of one kind, as `[status, amount]`. */
export function operations(payment: PaymentBody, operation: string): Array<[status: string, amount: number]> {
  return payment.transactions
    .filter((transaction) => transaction.operation === operation)
    .map(({ status, amount }) => [status, amount]);
}
