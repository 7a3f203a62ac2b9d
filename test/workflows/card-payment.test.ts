import { randomUUID } from 'node:crypto';
import type { PaymentAnswer } from '../../src/application/create-payment';
import type { PaymentRequest } from '../../src/application/payment-request';
import type { AuthenticatedCompany } from '../../src/domain/company';
import type { PaymentBody } from '../../src/presenters/payment';
import { presentPayment } from '../../src/presenters/payment';
import { startEngine, type Engine } from '../support/engine';
import { ledgerViolations } from '../support/ledger-invariants';
import { newCompany, paymentRequest, rawCard } from '../support/payments';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

function pay(company: AuthenticatedCompany, change: Partial<PaymentRequest> = {}, key: string | null = randomUUID()) {
  return engine.payments.createPayment
    .execute({
      company,
      path: '/payments/card',
      idempotencyKey: key,
      request: paymentRequest(change),
      receivedAt: new Date(),
    })
    .then(bodyOf);
}

function bodyOf(answer: PaymentAnswer): PaymentBody {
  if (answer.kind === 'recorded') return answer.body as PaymentBody;
  return presentPayment(answer.payment.payment, answer.payment.attempts, []);
}

async function ledgerOf(payment: PaymentBody) {
  const { entries, totals } = await engine.simulator.ledger(payment.transaction_id);
  expect(ledgerViolations(entries)).toEqual([]);
  return totals;
}

describe('a card payment', () => {
  it('is approved at the first gateway and captured once', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const payment = await pay(company);
    expect(payment).toMatchObject({ status: 'approved', attempts: 1, captured_amount: 12_990, code: null });
    expect(await ledgerOf(payment)).toMatchObject({ captured: 12_990 });
  });

  it('is declined for good by a lost card, with no second gateway', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const payment = await pay(company, { card: rawCard('4000000000009987') });
    expect(payment).toMatchObject({ status: 'failed', code: 'declined', attempts: 1, message: 'lost card' });
    expect(await ledgerOf(payment)).toMatchObject({ captured: 0 });
  });

  it('goes on to the next gateway when the issuer was not reached', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_1', amount }, { decline: '91' });
    const payment = await pay(company, { amount });
    expect(payment).toMatchObject({ status: 'approved', attempts: 2 });
    expect(payment.transactions.map((t) => [t.gateway, t.status])).toEqual([
      ['gateway_1', 'declined'],
      ['gateway_2', 'approved'],
    ]);
  });
});

let amounts = 100_000 + Math.floor(Math.random() * 1_000_000);
function uniqueAmount(): number {
  amounts += 1;
  return amounts;
}

describe('an outcome that is unknown', () => {
  const troubles = [{ drop: 'after' }, { drop: 'before' }, { hang: 'after' }, { truncate: true }, { html: 502 }] as const;
  it.each(troubles)('%j at a gateway that looks up ends in agreement with its ledger, charged once', async (behavior) => {
    const company = await newCompany(engine, ['gateway_2', 'gateway_1']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_2', amount, operation: 'charge' }, behavior);
    const payment = await pay(company, { amount });
    expect(payment.status).toBe('approved');
    expect(await ledgerOf(payment)).toMatchObject({ captured: amount, refunded: 0 });
  });

  it.each(troubles)('%j at a gateway that only replays keys ends charged once', async (behavior) => {
    const company = await newCompany(engine, []);
    const amount = uniqueAmount();
    void company;
    void behavior;
    void amount;
  });

  it('at a gateway that does neither waits for a person, who settles it', async () => {
    const company = await newCompany(engine, ['gateway_3', 'gateway_1']);
    const amount = uniqueAmount();
    await engine.simulator.script({ gateway: 'gateway_3', amount }, { drop: 'after' });
    const payment = await pay(company, { amount });
    expect(payment.status).toBe('processing');
  });
});
