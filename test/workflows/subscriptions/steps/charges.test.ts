import { CHARGE_WINDOW_MS } from '../../../../src/domain/payments/payment';
import { NETWORK_IDS, NO_ANSWER } from '../../../support/subscriptions/stepped-subscription';
import {
  after,
  DAY_MS,
  HOUR_MS,
  MASTERCARD,
  MINUTE_MS,
  PRICE,
  START,
  SubscriptionSteps,
} from '../../../support/subscriptions/subscription-steps';

let steps: SubscriptionSteps;
beforeAll(async () => {
  steps = await SubscriptionSteps.start();
});
afterAll(() => steps.stop());

const SOFT = { declined: '51' } as const;
const HARD = { declined: '41' } as const;
const TOO_BUSY = { error: 'rate_limited' } as const;

describe('a first charge', () => {
  it('that is approved activates the subscription, and its key then has the answer', async () => {
    const subscription = await steps.subscribe({ key: 'new' });
    expect(await subscription.step()).toMatchObject({ status: 'pending', events: [], closedCycles: 0 });
    expect(await steps.answerTo(subscription, 'new')).toMatchObject({ responseStatus: null });
    const step = await subscription.settle('approved');
    expect(step).toMatchObject({ status: 'active', openCharge: null, closedCycles: 1, more: false });
    expect(step.events).toEqual([
      `${START.toISOString()} subscription.payment.success`,
      `${START.toISOString()} subscription.activated`,
    ]);
    expect(await subscription.events()).toEqual(['created', 'payment.success', 'activated']);
    expect(await steps.answerTo(subscription, 'new')).toMatchObject({
      responseStatus: 201,
      responseBody: { data: { id: subscription.id, status: 'active' } },
    });
    expect(await steps.isAnswerSealed(subscription, 'new')).toBe(true);
  });

  it('that is declined can be paid for 23 hours, and its key has the answer', async () => {
    const subscription = await steps.subscribe({ key: 'new' });
    expect(await subscription.settle(SOFT)).toMatchObject({ status: 'pending', openCharge: null });
    expect(await steps.answerTo(subscription, 'new')).toMatchObject({
      responseStatus: 201,
      responseBody: { data: { status: 'pending' } },
    });
    const end = after(START, 23 * HOUR_MS);
    expect(await subscription.stepAt(after(end, -1))).toMatchObject({ status: 'pending', due: { at: +end } });
    expect(await subscription.stepAt(end)).toMatchObject({ status: 'canceled', due: null });
  });

  it('of two gateways shows the answer of the issuer that declined it, not the error that followed', async () => {
    const company = await steps.newCompany(['gateway_1', 'gateway_2']);
    const subscription = await steps.subscribe({ company });
    await subscription.answer({ declined: '91' }, TOO_BUSY);
    await subscription.giveUp();
    expect(await subscription.newestEvent()).toMatchObject({ decline: { code: '91', type: 'soft' } });
  });

  it('of two gateways that both declined shows the last decline', async () => {
    const company = await steps.newCompany(['gateway_1', 'gateway_2']);
    const subscription = await steps.subscribe({ company });
    await subscription.settle({ declined: '91' }, SOFT);
    expect(await subscription.newestEvent()).toMatchObject({ decline: { code: '51', type: 'soft' } });
  });

  it('that no issuer declined shows why its payment failed', async () => {
    const subscription = await steps.subscribe();
    steps.now = after(START, CHARGE_WINDOW_MS);
    await subscription.giveUp();
    expect(await subscription.newestEvent()).toMatchObject({
      decline: { code: 'not_attempted', type: null },
    });
  });

  it('keeps the network’s ids of the attempt that was approved, for the charges that follow', async () => {
    const company = await steps.newCompany(['gateway_1', 'gateway_2']);
    const subscription = await steps.subscribe({ company });
    await subscription.settle(TOO_BUSY, 'approved');
    expect((await subscription.record()).row).toMatchObject({
      cardApproved: true,
      networkIds: NETWORK_IDS,
    });
  });

  it('that was refunded before the step was paid', async () => {
    const subscription = await steps.subscribe();
    await subscription.answer('approved');
    await steps.setPayment(subscription, 'refunded');
    expect(await subscription.step()).toMatchObject({ status: 'active' });
  });
});

describe('a renewal', () => {
  it('is charged from the end of the period on, and its payment is started until it has a result', async () => {
    const subscription = await steps.subscribed();
    const end = await subscription.periodEnd();
    const early = await subscription.stepAt(after(end, -1));
    expect(early).toMatchObject({ openCharge: null, due: { at: +end }, events: [], more: false });
    const renewed = await subscription.stepAt(end);
    const transactionId = await subscription.newestPayment();
    expect(renewed).toMatchObject({ openCharge: { transactionId }, events: [], closedCycles: 1 });
    await subscription.step();
    expect(steps.startedPayments).toEqual([transactionId, transactionId]);
    await subscription.answer(NO_ANSWER);
    expect(await subscription.step()).toMatchObject({ openCharge: { transactionId }, more: false });
    // The process that sent it may have died before it started the payment's workflow.
    expect(steps.startedPayments).toHaveLength(3);
    await subscription.answerLate('approved');
    expect(await subscription.step()).toMatchObject({
      openCharge: null,
      closedCycles: 2,
      events: [`${end.toISOString()} subscription.payment.success`],
      due: { at: +end + 7 * DAY_MS },
    });
    expect(await subscription.payments()).toEqual([
      ['approved', PRICE],
      ['approved', PRICE],
    ]);
  });

  it('that stays declined is retried on the default days, each time with a payment of its own, then it is past due', async () => {
    const subscription = await steps.renewed();
    const declinedAt = steps.now;
    for (const day of [1, 4, 9, 16]) {
      const step = await subscription.settle(SOFT);
      expect(step).toMatchObject({ status: 'active', due: { at: +declinedAt + day * DAY_MS } });
      expect(step.openCharge).toBeNull();
      await subscription.stepAt(after(declinedAt, day * DAY_MS));
    }
    expect(await subscription.settle(SOFT)).toMatchObject({ status: 'past_due', openCharge: null });
    expect((await subscription.payments()).map(([status]) => status)).toEqual([
      'approved',
      ...Array.from({ length: 5 }, () => 'failed'),
    ]);
    expect((await subscription.cycles()).at(-1)).toMatchObject({
      status: 'open',
      retries: 4,
      nextRetryAt: null,
    });
  });

  it('that is declined is retried on the company’s own dunning days', async () => {
    const subscription = await steps.renewed();
    await steps.setDunningDays(subscription.company, [2]);
    expect(await subscription.settle(SOFT)).toMatchObject({ due: { at: +steps.now + 2 * DAY_MS } });
    await subscription.stepAt(after(steps.now, 2 * DAY_MS));
    expect(await subscription.settle(SOFT)).toMatchObject({ status: 'past_due' });
  });

  it('is paid by a retry, which ends its dunning', async () => {
    const subscription = await steps.renewed();
    const { due } = await subscription.settle(SOFT);
    await subscription.stepAt(new Date(due?.at ?? 0));
    expect(await subscription.settle('approved')).toMatchObject({ status: 'active', closedCycles: 2 });
    expect((await subscription.cycles()).at(-1)).toMatchObject({ status: 'paid', charge: PRICE });
  });

  it('that the issuer forbids for ever is past due at once, and canceled after 90 days', async () => {
    const subscription = await steps.renewed();
    const { status, due } = await subscription.settle(HARD);
    expect([status, due?.at]).toEqual(['past_due', +steps.now + 90 * DAY_MS]);
    expect(await subscription.stepAt(new Date(due?.at ?? 0))).toMatchObject({ status: 'canceled' });
    expect(await subscription.payments()).toHaveLength(2);
  });

  it('is retried after a decline that Visa forbids to retry, if the card is of Mastercard', async () => {
    const subscription = await steps.renewed({ request: { card: MASTERCARD } });
    const step = await subscription.settle({ declined: '57' });
    expect(step).toMatchObject({ status: 'active', due: { at: +steps.now + DAY_MS } });
    expect(await (await steps.renewed()).settle({ declined: '57' })).toMatchObject({ status: 'past_due' });
  });

  it('is recorded no earlier than it was charged if this machine’s clock is behind', async () => {
    const subscription = await steps.renewed();
    const end = steps.now;
    steps.now = after(end, -MINUTE_MS);
    expect(await subscription.settle('approved')).toMatchObject({
      events: [`${end.toISOString()} subscription.payment.success`],
    });
    expect((await subscription.record()).state.lastTransitionAt).toEqual(end);
  });

  it('whose payment was canceled is not charged, and is tried again later', async () => {
    const subscription = await steps.renewed();
    await steps.setPayment(subscription, 'canceled');
    const step = await subscription.step();
    expect(step).toMatchObject({
      status: 'active',
      openCharge: null,
      due: { at: +steps.now + 15 * MINUTE_MS },
    });
  });

  it('that its gateway was too busy for is not declined by the refund of another charge that is', async () => {
    const subscription = await steps.renewed();
    await subscription.answer(TOO_BUSY);
    await subscription.copyAttempt({ operation: 'refund', status: 'declined', response_code: '57' });
    await subscription.giveUp();
    expect(await subscription.events()).not.toContain('payment.failed');
    expect((await subscription.record()).state.openCycle?.hold).toMatchObject({
      reason: 'gateway_unavailable',
    });
  });
});

describe('a trial', () => {
  it('publishes that it ends soon, and is charged when it ends', async () => {
    const subscription = await steps.subscribe({ request: { trial_period_days: 10 }, key: 'new' });
    expect(await steps.answerTo(subscription, 'new')).toMatchObject({ responseStatus: 201 });
    expect(await subscription.step()).toMatchObject({
      status: 'trialing',
      openCharge: null,
      closedCycles: 0,
      due: { at: +START + 7 * DAY_MS },
    });
    expect(await subscription.stepAt(after(START, 7 * DAY_MS))).toMatchObject({
      events: [`${after(START, 7 * DAY_MS).toISOString()} subscription.trial_ending`],
      due: { at: +START + 10 * DAY_MS },
    });
    await subscription.stepAt(after(START, 10 * DAY_MS));
    expect(await subscription.settle('approved')).toMatchObject({ status: 'active', closedCycles: 1 });
    expect(await subscription.payments()).toEqual([['approved', PRICE]]);
  });
});

describe('a coupon', () => {
  it('discounts the periods that it is for, and a period that costs nothing is waived without a payment', async () => {
    const half = await steps.renewed({
      discount: { discountType: 'percentage', discountValue: 50, maxCycles: 1 },
    });
    expect(await half.payments()).toEqual([
      ['approved', PRICE / 2],
      ['processing', PRICE],
    ]);
    const free = await steps.subscribe({
      discount: { discountType: 'percentage', discountValue: 100, maxCycles: null },
    });
    const step = await free.stepAt(await free.periodEnd());
    expect(step).toMatchObject({ status: 'active', openCharge: null, closedCycles: 2 });
    expect(await free.payments()).toEqual([]);
  });
});
