import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { prepareChargeCall, type GatewayAnswer } from '../../../activities/payments/call-gateway';
import { recordCharge } from '../../../activities/payments/record-charge';
import { nextBankDay } from '../../../src/domain/payments/billet-calendar';
import { plusDays } from '../../../src/domain/settlement/settlement-days';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { Behavior } from '../../../src/simulator/scripts';
import { startEngine, type Engine } from '../../support/stack/engine';
import { reloadPayment, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { REFUSALS } from '../../support/fixtures/refusals';
import {
  idlePurchase,
  reloadPurchase,
  requestUntilSettled,
  signalWorkflow,
} from '../../support/scenarios/purchase';
import { waitFor } from '../../support/stack/wait-for';
import type { PaymentBody } from '../../../src/presenters/payment';
import { balancesOf, itemsOf, NEXT_DAY, settle, TODAY } from '../settlement/settlement-scenario';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/**
 * A worker that claimed an attempt and pauses between its steps. The test calls the steps of the activity one by one.
 */
async function pausedWorker(company: AuthenticatedCompany, body: PaymentBody) {
  const { deps } = engine;
  const claim = await claimAttempt(deps, { companyId: company.id, transactionId: body.transaction_id });
  if (claim.kind !== 'charge') throw new Error(`the payment could not be claimed: ${claim.kind}`);
  const { payment, attempt, gateway } = claim;
  return {
    attemptId: attempt.id,
    send: async (sendBefore = new Date(Date.now() + 1_000)) =>
      (await prepareChargeCall(deps, payment, attempt, gateway))(sendBefore),
    record: (answer: GatewayAnswer) =>
      recordCharge(deps, body.transaction_id, attempt, answer, { kind: 'call' }),
    abandon: () =>
      recordCharge(
        deps,
        body.transaction_id,
        attempt,
        { kind: 'absent', message: 'abandoned' },
        { kind: 'call' },
      ),
  };
}

/** A payment without a running workflow, so that the test makes every step itself. */
async function idlePayment(gateways: Parameters<typeof newCompany>[1]) {
  const company = await newCompany(engine, gateways);
  const { body } = await pay({ ...engine, payments: engine.idlePayments }, company, {
    amount: uniqueAmount(),
  });
  return { company, body };
}

describe('a late answer to a charge', () => {
  it('a late answer changes nothing when the outcome is already recorded', async () => {
    const { company, body } = await idlePayment(['gateway_1']);
    const worker = await pausedWorker(company, body);
    const answer = await worker.send();
    await worker.record(answer);
    const settled = await reloadPayment(engine, company, body);
    await worker.record(answer);
    await worker.record({ kind: 'error', family: 'ambiguous', code: null, message: 'late', requestMs: 1 });
    expect(await reloadPayment(engine, company, body)).toEqual(settled);
    expect(settled.status).toBe('approved');
  });

  it('a late approval of an abandoned attempt is accepted if no other charge was attempted', async () => {
    const { company, body } = await idlePayment(['gateway_1', 'gateway_2']);
    const worker = await pausedWorker(company, body);
    const answer = await worker.send();
    await worker.abandon();
    await worker.record(answer);
    expect(await reloadPayment(engine, company, body)).toMatchObject({ status: 'approved', attempts: 1 });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount, refunded: 0 });
  });

  it('a late approval of an abandoned attempt is refunded if another gateway has charged since', async () => {
    const { company, body } = await idlePayment(['gateway_1', 'gateway_2']);
    const worker = await pausedWorker(company, body);
    const answer = await worker.send();
    await worker.abandon();
    const second = await pausedWorker(company, body);
    await second.record(await second.send());
    await worker.record(answer);
    await worker.record(answer);

    await engine.sweeper.sweepOnce();
    const settled = await waitFor(async () => {
      const now = await reloadPayment(engine, company, body);
      return (
        now.transactions.some(({ operation, status }) => operation === 'refund' && status === 'refunded') &&
        now
      );
    });
    expect(settled.status).toBe('approved');
    expect(
      settled.transactions.map(({ operation, gateway, status }) => [operation, gateway, status]),
    ).toEqual([
      ['charge', 'gateway_1', 'refunded'],
      ['charge', 'gateway_2', 'approved'],
      ['refund', 'gateway_1', 'refunded'],
    ]);
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 2 * body.amount, refunded: body.amount });
  });

  /** A payment charged at gateway_1 whose abandoned first attempt at gateway_2 is approved late. */
  async function chargedTwice(refundBehavior: Behavior) {
    const { company, body } = await idlePayment(['gateway_2', 'gateway_1']);
    const worker = await pausedWorker(company, body);
    const answer = await worker.send();
    await worker.abandon();
    const second = await pausedWorker(company, body);
    await second.record(await second.send());
    const { transaction_id } = body;
    await engine.simulator.script({ operation: 'refund', transaction_id }, refundBehavior);
    await worker.record(answer);
    await engine.sweeper.sweepOnce();
    return { company, body };
  }

  it.each([{ status: 401 }, { status: 422 }, { status: 429 }])(
    'the refund of a late approval succeeds eventually when the gateway first answers %j',
    async (firstAnswer) => {
      const { body } = await chargedTwice(firstAnswer);
      await waitFor(async () => {
        const { totals } = await engine.simulator.ledger(body.transaction_id);
        return totals.captured - totals.refunded === body.amount;
      });
    },
  );

  it('a late approval that was refunded is no difference in the statements, of which only the fee is posted', async () => {
    const { company, body } = await chargedTwice({ delay_ms: 0 });
    await waitFor(async () => {
      const now = await reloadPayment(engine, company, body);
      return now.transactions.some(
        ({ operation, status }) => operation === 'refund' && status === 'refunded',
      );
    });
    const settledOn = nextBankDay(plusDays(TODAY, 30));
    for (const day of [TODAY, NEXT_DAY, settledOn]) await settle(engine, company.id, day, 'gateway_2');
    expect(await itemsOf(engine, company.id)).toEqual([]);
    const { fees, gateway_receivable: receivable } = await balancesOf(engine, company.id);
    // The simulator keeps 3 % of a card. Only the charge at gateway_1 is still to be settled.
    expect({ fees, receivable }).toEqual({ fees: Math.round(body.amount * 0.03), receivable: body.amount });
  });

  it('a payment whose reversal is declined is marked stuck for an operator', async () => {
    const { company, body } = await chargedTwice({ decline: '57' });
    await waitFor(async () => (await engine.context.payments.find(company.id, body.transaction_id))?.stuckAt);
    expect(await reloadPayment(engine, company, body)).toMatchObject({ status: 'approved' });
  });

  it('a late approval is refunded once, even when the outcome of the refund is unknown', async () => {
    const { company, body } = await idlePayment(['gateway_1', 'gateway_2']);
    const worker = await pausedWorker(company, body);
    const answer = await worker.send();
    await worker.abandon();
    const second = await pausedWorker(company, body);
    await second.record(await second.send());
    await engine.simulator.script(
      { operation: 'refund', transaction_id: body.transaction_id },
      { drop: 'after' },
    );
    await worker.record(answer);
    await engine.sweeper.sweepOnce();
    await waitFor(async () => {
      const now = await reloadPayment(engine, company, body);
      return now.transactions.some(
        ({ operation, status }) => operation === 'refund' && status === 'refunded',
      );
    });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 2 * body.amount, refunded: body.amount });
  });
});

describe('a late approval that is not accepted', () => {
  /** Waits until the gateway's ledger and the payment's last operation show that the whole amount was refunded. */
  async function untilRefunded(company: AuthenticatedCompany, body: PaymentBody): Promise<PaymentBody> {
    await signalWorkflow(engine, { company, body });
    return waitFor(async () => {
      const { totals } = await engine.simulator.ledger(body.transaction_id);
      expect(totals.refunded).toBe(body.amount);
      const now = await reloadPayment(engine, company, body);
      return now.transactions.at(-1)?.status === 'refunded' && now;
    });
  }

  it.each(['error', 'declined'] as const)(
    'of a charge recorded as %s is refunded after the payment failed, and the payment stays failed',
    async (status) => {
      const { company, body } = await idlePayment(['gateway_1']);
      const worker = await pausedWorker(company, body);
      const answer = await worker.send();
      await worker.record(REFUSALS[status]);
      const transactionId = body.transaction_id;
      const claim = await claimAttempt(engine.deps, { companyId: company.id, transactionId });
      expect(claim.kind).toBe('nothing');
      await worker.record(answer);
      const settled = await untilRefunded(company, body);
      expect(settled).toMatchObject({ status: 'failed', captured_amount: 0 });
      expect(settled.transactions.map((transaction) => transaction.status)).toEqual(['refunded', 'refunded']);
    },
  );

  it('of a superseded charge is refunded, also while the charge that superseded it is in flight', async () => {
    const { company, body } = await idlePayment(['gateway_1', 'gateway_2']);
    const worker = await pausedWorker(company, body);
    const answer = await worker.send();
    await worker.abandon();
    const second = await pausedWorker(company, body);
    await worker.record(answer);
    await second.record(await second.send());
    expect(await untilRefunded(company, body)).toMatchObject({ status: 'approved', attempts: 2 });
  });

  it('of a second charge under the same idempotency key is refunded once', async () => {
    const { company, body } = await idlePayment(['gateway_1']);
    const worker = await pausedWorker(company, body);
    const first = await worker.send();
    const { transaction_id } = body;
    await engine.simulator.script({ transaction_id }, { ignore_idempotency: true });
    const second = await worker.send();
    await worker.record(first);
    await worker.record(second);
    await worker.record(second);
    const settled = await untilRefunded(company, body);
    expect(settled).toMatchObject({ status: 'approved', refunded_amount: 0 });
    expect(settled.transactions.map(({ operation, status }) => [operation, status])).toEqual([
      ['charge', 'approved'],
      ['refund', 'refunded'],
    ]);
  });
});

describe('a second authorization or pix under the same idempotency key', () => {
  it.each([
    ['authorization', 'capture', 'approved'],
    ['pix', 'cancel', 'canceled'],
  ] as const)(
    'of %s is canceled, and the first one can still be the subject of a %s',
    async (kind, operation, status) => {
      const company = await newCompany(engine, ['gateway_1']);
      const subject = await idlePurchase(engine, company, kind);
      const { transaction_id } = subject.body;
      const worker = await pausedWorker(company, subject.body);
      const first = await worker.send();
      await engine.simulator.script({ transaction_id }, { ignore_idempotency: true });
      const second = await worker.send();
      await worker.record(first);
      await worker.record(second);
      await signalWorkflow(engine, subject);
      await waitFor(
        async () => (await reloadPurchase(engine, subject)).transactions.at(-1)?.status === 'canceled',
      );
      const answer = await requestUntilSettled(engine, subject, operation);
      expect(answer).toMatchObject({ status: 200, body: { status } });
    },
  );
});

describe('a worker that misses the send window', () => {
  it('it sends nothing, and the next attempt uses the same gateway with a closed circuit', async () => {
    const { company, body } = await idlePayment(['gateway_1']);
    const worker = await pausedWorker(company, body);
    const late = await worker.send(new Date(Date.now() - 1));
    await worker.record(late);
    expect(await engine.simulator.requests(body.transaction_id)).toEqual([]);
    const next = await pausedWorker(company, body);
    await next.record(await next.send());
    const settled = await reloadPayment(engine, company, body);
    expect(settled.transactions.map(({ gateway, status }) => [gateway, status])).toEqual([
      ['gateway_1', 'abandoned'],
      ['gateway_1', 'approved'],
    ]);
    const circuits = await engine.context.db.query('SELECT 1 FROM gateway_circuits WHERE company_id = $1', [
      company.id,
    ]);
    expect(circuits).toEqual([]);
  });
});
