import type { PaymentAnswer } from '../../application/payments/payment-answer';
import { presentPayment } from '../../presenters/payment';
import type { RouteResponse } from '../server/route';
import { presentRecordedAnswer } from './recorded-answer';

/** The recorded answer of a key, or the payment: 200 with a result, 202 while there is none. */
export function presentAnswer(answer: PaymentAnswer): RouteResponse {
  if (answer.kind === 'recorded') return presentRecordedAnswer(answer);
  const { payment, attempts, deliveries } = answer.payment;
  return { status: answer.inProgress ? 202 : 200, body: presentPayment(payment, attempts, deliveries) };
}
