import { commandRequest } from '../../../../src/application/subscriptions/subscription-command';
import type { AuthenticatedCompany } from '../../../../src/domain/companies/company';
import { NO_ANSWER, type SteppedSubscription } from '../../../support/subscriptions/stepped-subscription';
import { idlePurchase } from '../../../support/scenarios/purchase';
import { claimAttempt } from '../../../../activities/payments/claim-attempt';
import {
  after,
  DAY_MS,
  MASTERCARD,
  MINUTE_MS,
  PRICE,
  START,
  SubscriptionSteps,
  VISA,
} from '../../../support/subscriptions/subscription-steps';

let steps: SubscriptionSteps;
beforeAll(async () => {
  steps = await SubscriptionSteps.start();
});
afterAll(() => steps.stop());

/** Mastercard: fewer than 7 declines of a card in 24 hours. Visa: fewer than 15 of a card and amount in 30 days. */
const MASTERCARD_DECLINES = 6;
const VISA_DECLINES = 14;
const SOFT = { declined: '51' } as const;
const WITH_MASTERCARD = { request: { card: MASTERCARD } };

/** A subscription of the company whose first charge was declined that often. */
async function declined(
  company: AuthenticatedCompany,
  times: number,
  card: object = MASTERCARD,
): Promise<SteppedSubscription> {
  const subscription = await steps.subscribe({ company, request: { card } });
  await subscription.settle(SOFT);
  await subscription.copyAttempt({}, times - 1);
  return subscription;
}

/** The first charge of another subscription, opened before the card was declined that often. */
async function openBefore(declines: number): Promise<SteppedSubscription> {
  const company = await steps.newCompany();
  const open = await steps.subscribe({ company, ...WITH_MASTERCARD });
  await declined(company, declines);
  return open;
}

async function countAttempts(subscription: SteppedSubscription): Promise<number> {
  return (await steps.engine.context.payments.get(await subscription.newestPayment())).attempts;
}

describe('a charge that was opened before its card was declined too often', () => {
  it('is not sent any more, and its subscription can be paid with another card', async () => {
    const open = await openBefore(MASTERCARD_DECLINES);
    expect(await open.giveUp()).toMatchObject({ status: 'pending', openCharge: null });
    expect(await countAttempts(open)).toBe(0);
    expect(await open.newestEvent()).toMatchObject({ decline: { code: 'not_attempted' } });
    await open.command(commandRequest.changeCard({ card: VISA }));
    expect(await open.settle('approved')).toMatchObject({ status: 'active' });
  });

  it('is sent if the limit is not reached', async () => {
    const open = await openBefore(MASTERCARD_DECLINES - 1);
    expect((await open.claim()).kind).toBe('charge');
  });

  it('is sent once the limit allows it by the subscription’s clock', async () => {
    const open = await openBefore(MASTERCARD_DECLINES);
    await steps.engine.context.db.query('UPDATE payments SET billed_at = $2 WHERE transaction_id = $1', [
      await open.newestPayment(),
      after(START, DAY_MS - MINUTE_MS),
    ]);
    steps.now = after(START, 2 * MINUTE_MS);
    expect((await open.claim()).kind).toBe('charge');
    const other = await openBefore(MASTERCARD_DECLINES);
    await steps.engine.context.db.query('UPDATE payments SET billed_at = $2 WHERE transaction_id = $1', [
      await other.newestPayment(),
      after(START, DAY_MS - 2 * MINUTE_MS),
    ]);
    steps.now = after(START, MINUTE_MS);
    expect((await other.claim()).kind).toBe('nothing');
  });
});

describe('a one-off payment', () => {
  it('is neither stopped by the declines of subscriptions nor counted with them', async () => {
    const company = await steps.newCompany();
    await declined(company, MASTERCARD_DECLINES);
    const { body } = await idlePurchase(steps.engine, company, 'sale', { card: MASTERCARD });
    const { transaction_id: transactionId } = body;
    const claim = await claimAttempt(steps.engine.deps, { companyId: company.id, transactionId });
    if (claim.kind !== 'charge') throw new Error(`not a charge: ${claim.kind}`);
    expect(await steps.engine.context.attempts.find(claim.attempt.id)).toMatchObject({ chargedCard: null });
  });
});

describe('a charge of a card with charges whose answers may reach the limit', () => {
  it('waits for them, and is given up once its customer has left', async () => {
    const company = await steps.newCompany();
    const other = await steps.subscribe({ company, ...WITH_MASTERCARD });
    const open = await steps.subscribe({ company, ...WITH_MASTERCARD });
    await declined(company, MASTERCARD_DECLINES - 1);
    await other.claim();
    expect((await open.claim()).kind).toBe('card_busy');
    await other.answerLate('approved');
    expect((await open.claim()).kind).toBe('charge');
  });

  it('waits too if the card has paid for the subscription before and was declined since', async () => {
    const company = await steps.newCompany();
    const paid = await steps.subscribed({ company, ...WITH_MASTERCARD });
    const other = await steps.subscribe({ company, ...WITH_MASTERCARD });
    await declined(company, MASTERCARD_DECLINES - 1);
    await other.claim();
    await renewNow(paid);
    expect((await paid.claim()).kind).toBe('card_busy');
  });

  it('does not wait if the card has paid for the subscription before and was never declined', async () => {
    const company = await steps.newCompany();
    const paid = await steps.subscribed({ company, ...WITH_MASTERCARD });
    for (let sent = 0; sent < MASTERCARD_DECLINES; sent += 1) {
      await (await steps.subscribe({ company, ...WITH_MASTERCARD })).claim();
    }
    const first = await steps.subscribe({ company, ...WITH_MASTERCARD });
    expect((await first.claim()).kind).toBe('card_busy');
    await renewNow(paid);
    expect((await paid.claim()).kind).toBe('charge');
  });

  /** Opens its renewal at the start of the clock, where the other charges are. */
  async function renewNow(subscription: SteppedSubscription): Promise<void> {
    await subscription.change('period_end = $2', START);
    expect((await subscription.step()).openCharge).not.toBeNull();
  }
});

describe('a step', () => {
  it('does not charge a renewal with a card that another subscription’s decline forbids', async () => {
    const company = await steps.newCompany();
    const subscription = await steps.subscribed({ company });
    const end = await subscription.periodEnd();
    const other = await steps.subscribe({ company });
    await other.settle({ declined: '41' });
    expect(await subscription.stepAt(end)).toMatchObject({ status: 'past_due', openCharge: null });
    expect(await subscription.payments()).toHaveLength(1);
  });

  it('retries a declined renewal only when the network’s limit allows it', async () => {
    const subscription = await steps.renewed();
    await subscription.answer(SOFT);
    await subscription.copyAttempt({}, VISA_DECLINES - 1);
    expect(await subscription.step()).toMatchObject({ due: { at: +steps.now + 30 * DAY_MS } });
  });

  it('does not charge a renewal earlier than the limit allows', async () => {
    const company = await steps.newCompany();
    await declined(company, VISA_DECLINES, VISA);
    const subscription = await steps.subscribe({ company, request: { trial_period_days: 8 } });
    await subscription.stepAt(after(START, 5 * DAY_MS));
    const step = await subscription.stepAt(after(START, 8 * DAY_MS));
    expect(step).toMatchObject({ openCharge: null, due: { at: +START + 30 * DAY_MS } });
  });

  it('refuses a card that its network forbids although it was requested before, and charges one that is allowed', async () => {
    const company = await steps.newCompany();
    const subscription = await steps.renewed({ company });
    const renewedAt = steps.now;
    const other = await steps.subscribe({ company, ...WITH_MASTERCARD });
    await other.settle({ declined: '41' });
    steps.now = renewedAt;
    await subscription.answer(NO_ANSWER);
    await subscription.request(commandRequest.changeCard({ card: MASTERCARD }), 'card');
    await subscription.request(commandRequest.changeCard({ card: { ...VISA, expire_year: 2036 } }));
    await subscription.answerLate({ declined: '41' });
    expect((await subscription.step()).openCharge).not.toBeNull();
    expect(await subscription.commands()).toEqual([
      ['refused', expect.stringContaining('card')],
      ['in_progress', null],
    ]);
    expect(await steps.answerTo(subscription, 'card')).toMatchObject({ responseStatus: 422 });
    await subscription.settle('approved');
    expect((await subscription.payments()).at(-1)).toEqual(['approved', PRICE]);
    expect((await subscription.record()).state.card).toMatchObject({ brand: 'visa', expireYear: 2036 });
  });
});
