import { REPLAYED, type PaymentAnswer } from '../../application/payments/payment-answer';
import { presentPayment } from '../../presenters/payment';
import type { OperationResponse } from '../server/operation';

/** 200 with a result, 202 while there is none; the recorded answer of a key is given as it was recorded. */
export function presentAnswer(answer: PaymentAnswer): OperationResponse {
  const headers = answer.replayed ? { headers: REPLAYED } : {};
  if (answer.kind === 'recorded') return { status: answer.status, body: answer.body, ...headers };
  const { payment, attempts, deliveries } = answer.payment;
  return { status: answer.underWay ? 202 : 200, body: presentPayment(payment, attempts, deliveries) };
}
