import { randomUUID } from 'node:crypto';
import type { PaymentBody } from '../../../src/presenters/payment';
import { resultOf, type Merchant, type MerchantOrder } from '../../support/merchant/merchant';
import { send, sendUntilFinal, successIn, type SendOutcome } from '../../support/merchant/requests';

/** A request of a merchant's backend, which it sends with the same key and body again until it has its result. */
export interface MerchantRequest {
  readonly kind: 'payment' | 'capture' | 'cancel' | 'refund';
  readonly merchant: Merchant;
  /** Null if the merchant sends none. */
  readonly key: string | null;
  readonly body: Readonly<Record<string, unknown>>;
  /** Of the payment, unique; or of the refund. In cents. */
  readonly amount: number;
  /** What an operation is on. */
  readonly payment: MerchantRequest | null;
  readonly path: string;
  readonly sentAt: number;
  readonly outcomes: SendOutcome[];
  /** After the restore. */
  readonly outcomesAgain: SendOutcome[];
}

export function paymentRequest(order: MerchantOrder, isKeyed: boolean): MerchantRequest {
  const { merchant, key, body, amount, path, outcomes } = order;
  return {
    kind: 'payment',
    merchant,
    key: isKeyed ? key : null,
    body,
    amount,
    payment: null,
    path,
    sentAt: Date.now(),
    outcomes,
    outcomesAgain: [],
  };
}

/** @throws Error if the payment has no result yet */
export function operationRequest(
  kind: 'capture' | 'cancel' | 'refund',
  payment: MerchantRequest,
  amount: number,
): MerchantRequest {
  const id = paymentOf(payment)?.transaction_id;
  if (id === undefined) throw new Error('the payment has no result');
  return {
    kind,
    merchant: payment.merchant,
    key: randomUUID(),
    body: kind === 'cancel' ? {} : { amount },
    amount,
    payment,
    path: `/payments/${id}/${kind}`,
    sentAt: Date.now(),
    outcomes: [],
    outcomesAgain: [],
  };
}

/** Sends until there is a result or `signal` aborts. A request without a key is sent once. */
export async function perform(request: MerchantRequest, signal: AbortSignal): Promise<boolean> {
  if (request.key === null) request.outcomes.push(await sendOnce(request));
  else await sendUntilFinal(() => sendOnce(request), request.outcomes, signal);
  return successIn(request.outcomes) !== undefined;
}

export async function performAgain(request: MerchantRequest): Promise<void> {
  await sendUntilFinal(() => sendOnce(request), request.outcomesAgain);
}

export function sendOnce({ merchant, path, key, body }: MerchantRequest): Promise<SendOutcome> {
  return send({ ...merchant.authorizedRequest('POST', path, key ?? undefined), body });
}

/** The payment as the first 200 has it. */
export function paymentOf(request: Pick<MerchantRequest, 'outcomes'>): PaymentBody | undefined {
  return resultOf(request);
}

/** Whether the merchant had its result by then. */
export function isAcknowledgedBy(moment: Date, { outcomes }: MerchantRequest): boolean {
  const first = successIn(outcomes);
  return first !== undefined && first.at <= moment.getTime();
}
