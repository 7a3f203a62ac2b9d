import { randomUUID } from 'node:crypto';
import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { presentPayment, type PaymentBody } from '../../../src/presenters/payment';
import type { LedgerTotals } from '../../../src/simulator/ledger';
import type { Engine } from '../stack/engine';
import { ledgerViolations } from './ledger-invariants';
import { paymentRequest } from '../fixtures/payments';

export interface Paid {
  readonly body: PaymentBody;
  readonly replayed: boolean;
}

/** Posts a card payment as the route does, and returns what the caller is answered. */
export async function pay(
  engine: Engine,
  company: AuthenticatedCompany,
  change: Partial<PaymentRequest> = {},
  key: string | null = randomUUID(),
): Promise<Paid> {
  const answer = await engine.payments.createPayment.execute({
    company,
    path: '/payments/card',
    idempotencyKey: key,
    request: paymentRequest(change),
    receivedAt: new Date(),
  });
  if (answer.kind === 'recorded') return { body: answer.body as PaymentBody, replayed: answer.replayed };
  return {
    body: presentPayment(answer.payment.payment, answer.payment.attempts, answer.payment.deliveries),
    replayed: answer.replayed,
  };
}

/** The payment as it stands now. */
export async function current(
  engine: Engine,
  company: AuthenticatedCompany,
  payment: PaymentBody,
): Promise<PaymentBody> {
  const {
    payment: record,
    attempts,
    deliveries,
  } = await engine.payments.findPayment.byId(company.id, payment.transaction_id);
  return presentPayment(record, attempts, deliveries);
}

/** What the gateway's own books say of a payment; they must be in order whatever happened. */
export async function ledgerOf(engine: Engine, payment: PaymentBody): Promise<LedgerTotals> {
  const { entries, totals } = await engine.simulator.ledger(payment.transaction_id);
  expect(ledgerViolations(entries)).toEqual([]);
  return totals;
}

let lastAmount = 1_000_000 + Math.floor(Math.random() * 9_000_000);

/** An amount no other test uses: scripts at the shared simulator match on it. */
export function uniqueAmount(): number {
  lastAmount += 1;
  return lastAmount;
}
