import { failNotAttempted } from '../../../../activities/payments/claim-attempt';
import { recordCharge } from '../../../../activities/payments/record-charge';
import { CHARGE_WINDOW_MS } from '../../../../src/domain/payments/payment';
import { newSubAccountId, type SubscriptionId } from '../../../../src/domain/shared/ids';
import type { CardDecline } from '../../../../src/domain/subscriptions/charge-guard';
import { requestsOf } from '../../../support/scenarios/purchase';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { ABSENT, SteppedPayment, done, failed } from './stepped-payment';

/* What may be sent next for a payment, and what is recorded before it is sent. */

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

const DAY_MS = 86_400_000;

/** A recipient at gateway_1, without a request to the gateway. */
async function newRecipient(companyId: number, recipientId: string): Promise<void> {
  const { subAccounts } = engine.context;
  const { id } = await subAccounts.insertOrRestart({
    ...{ id: newSubAccountId(), companyId, gatewaySlug: 'gateway_1', informationHash: recipientId },
    ...{ sealedInformation: {} as never, name: 'Maria', documentMasked: '***' },
  });
  await subAccounts.recordAnswer(id, { status: 'active', recipientId, message: null });
}

describe('the next charge of a payment', () => {
  it('is recorded as sent, with the secret that it is sent with, which is used from then on', async () => {
    const payment = await SteppedPayment.create(engine);
    const used = () =>
      engine.context.db.queryOne<{ id: string; at: Date | null }>(
        'SELECT id::text, used_at AS at FROM gateway_secrets WHERE company_id = $1',
        [payment.subject.company.id],
      );
    expect(await used()).toMatchObject({ at: null });
    const { attemptId } = await payment.next();
    const row = await payment.attempt(attemptId);
    expect(row).toMatchObject({
      attempt: 1,
      operation: 'charge',
      status: 'sent',
      sendCount: 1,
      splits: null,
    });
    const { id, at } = (await used()) ?? {};
    expect(at).not.toBeNull();
    expect(String(row.secretId)).toBe(id);
  });

  it('names the recipients that the merchant splits the amount among', async () => {
    const payment = await SteppedPayment.create(engine);
    await newRecipient(payment.subject.company.id, 're_1');
    const split = { recipientId: 're_1', type: 'percentage', amount: 100, liable: true };
    const fees = { chargeProcessingFee: true, chargeRemainderFee: true };
    await payment.change('splits = $2', JSON.stringify([{ ...split, ...fees }]));
    const claim = await payment.claim();
    if (claim.kind !== 'charge') throw new Error(claim.kind);
    expect(claim.attempt.splits).toMatchObject([{ recipientId: 're_1', amountCents: payment.amount }]);
  });

  it('is not made once the payment has a charge, also after a refund of it was answered', async () => {
    const payment = await SteppedPayment.charged(engine, 'sale', ['gateway_1', 'gateway_4']);
    expect(await payment.claim()).toMatchObject({ kind: 'nothing', step: { status: 'approved' } });
    const { worker } = await payment.claimed('refund', { amount: 100 });
    await worker.record(done('refunded'));
    expect(await payment.claim()).toMatchObject({ kind: 'nothing', step: { status: 'approved' } });
    expect(await payment.rows()).toHaveLength(2);
  });

  it('is the second one, whatever inquiries were made about the first', async () => {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4']);
    const { attemptId } = await payment.next();
    const source = { kind: 'inquiry', requestMs: 1 } as const;
    await recordCharge(engine.deps, payment.id, { id: attemptId, sendCount: 1 }, ABSENT, source);
    const second = await payment.attempt((await payment.next()).attemptId);
    expect(second).toMatchObject({ attempt: 2, gatewaySlug: 'gateway_4' });
    expect(await payment.row()).toMatchObject({ attempts: 2 });
  });

  it('is not made after as many attempts as are allowed', async () => {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4']);
    await (await payment.next()).record(failed('rate_limited'));
    const { deps } = engine;
    const claim = await payment.claim({ ...deps, settings: { ...deps.settings, maxAttempts: 1 } });
    expect(claim).toMatchObject({ kind: 'nothing', step: { status: 'failed' } });
    expect(await payment.body()).toMatchObject({ status: 'failed', code: 'gateway_error' });
  });

  it('is not made when no gateway is left, and the payment fails', async () => {
    const payment = await SteppedPayment.create(engine);
    const disable = 'UPDATE gateway_credentials SET enabled = false WHERE company_id = $1';
    await engine.context.db.query(disable, [payment.subject.company.id]);
    expect(await payment.claim()).toMatchObject({ kind: 'nothing', step: { status: 'failed' } });
    expect(await payment.body()).toMatchObject({ status: 'failed', code: 'not_attempted', attempts: 0 });
  });

  it.each([
    [CHARGE_WINDOW_MS, 'nothing'],
    [CHARGE_WINDOW_MS - 1, 'charge'],
  ])(
    'of a payment that is %d ms old is %s, because the customer leaves after 15 minutes',
    async (ageMs, kind) => {
      const payment = await SteppedPayment.create(engine);
      const { createdAt } = await payment.row();
      expect((await payment.claim(payment.depsAt(createdAt, ageMs))).kind).toBe(kind);
    },
  );

  it('leaves the sweeper’s next look at a payment to the poll once the payment has its charge', async () => {
    const payment = await SteppedPayment.create(engine);
    const worker = await payment.next();
    const hours = async () => {
      await payment.change(`recover_after = now() + interval '9 hours'`);
      await payment.claim();
      return Math.round((+((await payment.row()).recoverAfter ?? 0) - Date.now()) / 3_600_000);
    };
    expect(await hours()).toBe(0);
    await worker.record(done('approved'));
    expect(await hours()).toBe(9);
  });
});

describe('a charge of a subscription’s card', () => {
  /** Claims the charge of a card with these declines and unanswered charges, `ageMs` after the payment was created. */
  async function claimWith(
    counts: { declines?: number; open?: number; code?: string; ageMs?: number },
    before: (payment: SteppedPayment) => Promise<unknown> = () => Promise.resolve(),
  ) {
    const payment = await SteppedPayment.create(engine);
    await before(payment);
    const { createdAt } = await payment.row();
    const { ageMs = 0, code = '51' } = counts;
    const deps = payment.depsAt(createdAt, ageMs);
    const charges = (count = 0): CardDecline[] =>
      Array.from({ length: count }, () => ({
        ...{ at: new Date(+createdAt + ageMs), amountCents: payment.amount, code, adviceCode: null },
      }));
    const lock: typeof deps.payments.lock = async (...row) => ({
      ...(await deps.payments.lock(...row)),
      ...{ subscriptionId: payment.id as SubscriptionId, cardFingerprint: 'card', billedAt: createdAt },
    });
    const claim = await payment.claim({
      ...deps,
      payments: Object.assign(Object.create(deps.payments) as typeof deps.payments, { lock }),
      cardDeclines: Object.assign(Object.create(deps.cardDeclines) as typeof deps.cardDeclines, {
        list: () => Promise.resolve({ declines: charges(counts.declines), open: charges(counts.open) }),
      }),
      subscriptions: Object.assign(Object.create(deps.subscriptions) as typeof deps.subscriptions, {
        requestWake: () => Promise.resolve({}),
      }),
      wakeSubscription: () => undefined,
    });
    return { kind: claim.kind, body: await payment.body() };
  }

  it('waits for the answers of the card’s other charges, until the customer leaves', async () => {
    expect(await claimWith({})).toMatchObject({ kind: 'charge' });
    expect(await claimWith({ open: 40 })).toMatchObject({
      kind: 'card_busy',
      body: { status: 'processing' },
    });
    const late = await claimWith({ open: 40, ageMs: CHARGE_WINDOW_MS });
    expect(late).toMatchObject({ kind: 'nothing', body: { status: 'failed', attempts: 0 } });
    expect(late.body.message).toBe('no gateway was available');
  });

  it('is not made when the card’s network forbids it, and the payment says so', async () => {
    const { kind, body } = await claimWith({ declines: 40 });
    expect([kind, body.status, body.code, body.attempts]).toEqual(['nothing', 'failed', 'not_attempted', 0]);
    expect(body.message).toContain('the network of the card allows no further charge yet');
  });

  it('is not made after another one when the network forbids it, and the payment says why that one failed', async () => {
    const { kind, body } = await claimWith({ declines: 40 }, async (payment) =>
      (await payment.next()).record(failed('rate_limited')),
    );
    expect([kind, body.status, body.code, body.attempts]).toEqual(['nothing', 'failed', 'gateway_error', 1]);
  });
});

describe('the next operation on a payment', () => {
  it('is recorded as sent once more before it is sent', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { attempt, worker } = await payment.claimed('refund');
    expect(attempt).toMatchObject({ status: 'sent', sendCount: 1 });
    await worker.record(ABSENT);
    expect(await payment.claim()).toMatchObject({
      attempt: { id: attempt.id, sendCount: 2, status: 'sent' },
    });
  });

  it('is refused and not sent if the payment’s state forbids it by now, and the request is answered so', async () => {
    const payment = await SteppedPayment.charged(engine);
    const key = await payment.request('refund');
    await payment.change('refunded_amount_cents = captured_amount_cents');
    const claim = await payment.claim();
    const refused = { operation: 'refund', status: 'error', responseCode: 'invalid_state' };
    expect(claim).toMatchObject({
      kind: 'nothing',
      step: { status: 'approved', attempt: refused, ready: false },
    });
    expect(await payment.answered(key)).toBe(409);
    expect(await payment.rows()).toEqual(['charge gateway_1 approved', 'refund gateway_1 error']);
    expect(await requestsOf(engine, payment.subject, 'refund')).toEqual([]);
  });

  it('loses the gateway’s error of an earlier sending when it is refused', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { worker } = await payment.claimed('refund');
    await worker.record(ABSENT);
    await payment.changeAttempt(worker.attemptId, `error_family = 'not_sent', response_code = '503'`);
    await payment.change('refunded_amount_cents = captured_amount_cents');
    await payment.claim();
    const refused = { errorFamily: null, responseCode: 'invalid_state', status: 'error' };
    expect(await payment.attempt(worker.attemptId)).toMatchObject(refused);
  });

  it('is refused if it and another one that may be under way would return more than was captured', async () => {
    const payment = await SteppedPayment.charged(engine);
    const { attempt } = await payment.claimed('refund', { amount: 100 });
    await payment.request('refund', { amount: 100 });
    await payment.change('refunded_amount_cents = captured_amount_cents - 150');
    const claim = await payment.claim();
    expect(claim).toMatchObject({ kind: 'nothing', step: { unknown: [{ attemptId: attempt.id }] } });
    expect((await payment.row()).recoverAfter).not.toBeNull();
    expect(await payment.rows()).toEqual([
      'charge gateway_1 approved',
      'refund gateway_1 unknown',
      'refund gateway_1 error',
    ]);
  });

  it('may be for all that was captured, because it does not count itself', async () => {
    const payment = await SteppedPayment.charged(engine);
    await payment.request('refund');
    expect(await payment.claim()).toMatchObject({
      kind: 'operation',
      attempt: { amountCents: payment.amount },
    });
  });

  it('counts the refund deadline of a pix by the payment’s clock when it was requested', async () => {
    const payment = await SteppedPayment.create(engine, 'pix');
    await (await payment.next()).record(done('pending', { paidAmountCents: payment.amount }));
    const key = await payment.request('refund');
    await payment.change('clock_offset_ms = $2', 100 * DAY_MS);
    expect(await payment.claim()).toMatchObject({ kind: 'nothing' });
    expect(await payment.answered(key)).toBe(409);
  });
});

describe('a payment that was not attempted before the customer left', () => {
  it.each([
    ['fails', 'failed', CHARGE_WINDOW_MS, async () => undefined],
    ['is left alone if it is younger', 'processing', CHARGE_WINDOW_MS - 1, async () => undefined],
    [
      'is left alone if it was attempted',
      'processing',
      CHARGE_WINDOW_MS,
      async (payment: SteppedPayment) => (await payment.next()).record(failed('rate_limited')),
    ],
    [
      'is left alone if it has its result',
      'approved',
      CHARGE_WINDOW_MS,
      async (payment: SteppedPayment) => (await payment.next()).record(done('approved')),
    ],
  ] as const)('%s', async (_what, status, ageMs, before) => {
    const payment = await SteppedPayment.create(engine, 'sale', ['gateway_1', 'gateway_4']);
    await before(payment);
    const { createdAt } = await payment.row();
    await failNotAttempted(payment.depsAt(createdAt, ageMs), payment.id);
    expect(await payment.body()).toMatchObject({ status });
  });

  it('fails once, and says that nothing was attempted', async () => {
    const payment = await SteppedPayment.create(engine);
    const deps = payment.depsAt((await payment.row()).createdAt, CHARGE_WINDOW_MS);
    for (let sweep = 0; sweep < 2; sweep += 1) await failNotAttempted(deps, payment.id);
    expect(await payment.row()).toMatchObject({ code: 'not_attempted', eventSequence: 1 });
  });
});
