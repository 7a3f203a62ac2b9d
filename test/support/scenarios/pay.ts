import { randomUUID } from 'node:crypto';
import type { PaymentRequest } from '../../../src/application/payments/payment-request';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { presentPayment, type PaymentBody } from '../../../src/presenters/payment';
import type { LedgerTotals } from '../../../src/simulator/ledger';
import type { Engine } from '../stack/engine';
import { ledgerViolations } from './ledger-invariants';
import { paymentRequest } from '../fixtures/payments';

export interface PayResult {
  readonly body: PaymentBody;
  readonly replayed: boolean;
}

/** Creates a card payment as the route does, and returns its answer. */
export async function pay(
  { payments }: Pick<Engine, 'payments'>,
  company: AuthenticatedCompany,
  change: Partial<PaymentRequest> = {},
  key: string | null = randomUUID(),
): Promise<PayResult> {
  const answer = await payments.createPayment.execute({
    company,
    path: '/payments/card',
    idempotencyKey: key,
    request: paymentRequest(change),
    receivedAt: new Date(),
  });
  if (answer.kind === 'recorded') return { body: answer.body as PaymentBody, replayed: answer.replayed };
  return {
    body: presentPayment(answer.payment.payment, answer.payment.attempts, answer.payment.deliveries),
    replayed: false,
  };
}

/** The payment's current state. */
export async function reloadPayment(
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

/** The totals of a payment in the gateway's ledger. Also expects that the ledger has no violations. */
export async function ledgerOf(engine: Engine, payment: PaymentBody): Promise<LedgerTotals> {
  const { entries, totals } = await engine.simulator.ledger(payment.transaction_id);
  expect(ledgerViolations(entries)).toEqual([]);
  return totals;
}

let lastAmount = 1_000_000 + Math.floor(Math.random() * 9_000_000);

/** An amount that no other test uses, because scripts at the shared simulator match by amount. */
export function uniqueAmount(): number {
  lastAmount += 1;
  return lastAmount;
}
