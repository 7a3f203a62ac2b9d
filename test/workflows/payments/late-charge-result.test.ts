import { claimAttempt } from '../../../activities/payments/claim-attempt';
import { prepareCharge, type GatewayAnswer } from '../../../activities/payments/call-gateway';
import { recordCharge } from '../../../activities/payments/record-charge';
import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import type { Behavior } from '../../../src/simulator/scripts';
import { startEngine, type Engine } from '../../support/stack/engine';
import { current, ledgerOf, pay, uniqueAmount } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import { waitFor } from '../../support/stack/wait-for';
import type { PaymentBody } from '../../../src/presenters/payment';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/**
 * A worker that has claimed an attempt, sent the charge and fallen asleep before it could record the answer.
 * Its own steps are called here one by one, as the activity makes them.
 */
async function sleepingWorker(company: AuthenticatedCompany, body: PaymentBody) {
  const { deps } = engine;
  const claim = await claimAttempt(deps, { companyId: company.id, transactionId: body.transaction_id });
  if (claim.kind !== 'charge') throw new Error(`the payment was not free to claim: ${claim.kind}`);
  const { payment, attempt, gateway } = claim;
  return {
    attemptId: attempt.id,
    send: async (sendBefore = new Date(Date.now() + 1_000)) =>
      (await prepareCharge(deps, payment, attempt, gateway))(sendBefore),
    record: (answer: GatewayAnswer) =>
      recordCharge(deps, body.transaction_id, attempt.id, answer, { kind: 'call' }),
    giveUp: () =>
      recordCharge(
        deps,
        body.transaction_id,
        attempt.id,
        { kind: 'absent', message: 'given up' },
        { kind: 'call' },
      ),
  };
}

/** A payment whose workflow does not run, so that the test makes every step itself. */
async function idlePayment(gateways: Parameters<typeof newCompany>[1]) {
  const company = await newCompany(engine, gateways);
  const { body } = await pay({ ...engine, payments: engine.idlePayments }, company, {
    amount: uniqueAmount(),
  });
  return { company, body };
}

describe('an answer that comes late', () => {
  it('changes nothing when the outcome is already known', async () => {
    const { company, body } = await idlePayment(['gateway_1']);
    const worker = await sleepingWorker(company, body);
    const answer = await worker.send();
    await worker.record(answer);
    const settled = await current(engine, company, body);
    await worker.record(answer);
    await worker.record({ kind: 'error', family: 'ambiguous', code: null, message: 'late', requestMs: 1 });
    expect(await current(engine, company, body)).toEqual(settled);
    expect(settled.status).toBe('approved');
  });

  it('of an attempt given up is taken up while nothing else was tried', async () => {
    const { company, body } = await idlePayment(['gateway_1', 'gateway_2']);
    const worker = await sleepingWorker(company, body);
    const answer = await worker.send();
    await worker.giveUp();
    await worker.record(answer);
    expect(await current(engine, company, body)).toMatchObject({ status: 'approved', attempts: 1 });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: body.amount, refunded: 0 });
  });

  it('of an attempt given up is refunded at once when another gateway has charged since', async () => {
    const { company, body } = await idlePayment(['gateway_1', 'gateway_2']);
    const worker = await sleepingWorker(company, body);
    const answer = await worker.send();
    await worker.giveUp();
    const second = await sleepingWorker(company, body);
    await second.record(await second.send());
    await worker.record(answer);
    await worker.record(answer);

    await engine.sweeper.sweepOnce();
    const settled = await waitFor(async () => {
      const now = await current(engine, company, body);
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

  /** A payment charged at gateway_1 whose first attempt, at gateway_2, was given up and comes through now. */
  async function chargedTwice(refundTrouble: Behavior) {
    const { company, body } = await idlePayment(['gateway_2', 'gateway_1']);
    const worker = await sleepingWorker(company, body);
    const answer = await worker.send();
    await worker.giveUp();
    const second = await sleepingWorker(company, body);
    await second.record(await second.send());
    const { transaction_id } = body;
    await engine.simulator.script({ operation: 'refund', transaction_id }, refundTrouble);
    await worker.record(answer);
    await engine.sweeper.sweepOnce();
    return { company, body };
  }

  it.each([{ status: 401 }, { status: 422 }, { status: 429 }])(
    'of an attempt given up is refunded in the end, also when the gateway first answers %j',
    async (refusal) => {
      const { body } = await chargedTwice(refusal);
      await waitFor(async () => {
        const { totals } = await engine.simulator.ledger(body.transaction_id);
        return totals.captured - totals.refunded === body.amount;
      });
    },
  );

  it('of an attempt given up whose refund is declined for good waits for a person, visibly', async () => {
    const { company, body } = await chargedTwice({ decline: '57' });
    await waitFor(async () => (await engine.parts.payments.find(company.id, body.transaction_id))?.stuckAt);
    expect(await current(engine, company, body)).toMatchObject({ status: 'approved' });
  });

  it('of an attempt given up is refunded once, also when the refund’s own outcome is unknown', async () => {
    const { company, body } = await idlePayment(['gateway_1', 'gateway_2']);
    const worker = await sleepingWorker(company, body);
    const answer = await worker.send();
    await worker.giveUp();
    const second = await sleepingWorker(company, body);
    await second.record(await second.send());
    await engine.simulator.script(
      { operation: 'refund', transaction_id: body.transaction_id },
      { drop: 'after' },
    );
    await worker.record(answer);
    await engine.sweeper.sweepOnce();
    await waitFor(async () => {
      const now = await current(engine, company, body);
      return now.transactions.some(
        ({ operation, status }) => operation === 'refund' && status === 'refunded',
      );
    });
    expect(await ledgerOf(engine, body)).toMatchObject({ captured: 2 * body.amount, refunded: body.amount });
  });
});

describe('a worker that is too slow to send in time', () => {
  it('sends nothing, and the payment goes on at the same gateway: it is well', async () => {
    const { company, body } = await idlePayment(['gateway_1']);
    const worker = await sleepingWorker(company, body);
    const late = await worker.send(new Date(Date.now() - 1));
    await worker.record(late);
    expect(await engine.simulator.requests(body.transaction_id)).toEqual([]);
    const next = await sleepingWorker(company, body);
    await next.record(await next.send());
    const settled = await current(engine, company, body);
    expect(settled.transactions.map(({ gateway, status }) => [gateway, status])).toEqual([
      ['gateway_1', 'abandoned'],
      ['gateway_1', 'approved'],
    ]);
    const circuits = await engine.parts.db.query('SELECT 1 FROM gateway_circuits WHERE company_id = $1', [
      company.id,
    ]);
    expect(circuits).toEqual([]);
  });
});
