import { commandRequest } from '../../../../src/application/subscriptions/subscription-command';
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

const { pause, resume, cancel, uncancel, retry, changePlan, changeCard } = commandRequest;
const SOFT = { declined: '51' } as const;
const WEEK_MS = 7 * DAY_MS;

describe('a command', () => {
  it('is executed by the next step, and its key has the answer', async () => {
    const subscription = await steps.subscribed();
    const step = await subscription.command(pause({}), 'pause');
    expect(step).toMatchObject({ status: 'paused', due: null, openCommands: [], more: false });
    expect(step.events).toEqual([`${START.toISOString()} subscription.paused`]);
    expect(await subscription.commands()).toEqual([['done', null]]);
    expect(await steps.answerTo(subscription, 'pause')).toMatchObject({
      responseStatus: 200,
      responseBody: { data: { status: 'paused', customer: { name: 'Maria Souza' } } },
    });
    expect(await steps.isAnswerSealed(subscription, 'pause')).toBe(true);
    const later = after(START, 3 * WEEK_MS);
    steps.now = later;
    await subscription.command(resume());
    await subscription.settle('approved');
    expect(await subscription.periodEnd()).toEqual(after(later, WEEK_MS));
    expect(await subscription.payments()).toHaveLength(2);
  });

  it('that is refused publishes nothing, and its key has the refusal', async () => {
    const subscription = await steps.subscribe();
    await subscription.request(uncancel(), 'uncancel');
    const { events, openCommands } = await subscription.settle('approved');
    expect(openCommands).toEqual([]);
    expect(events.map((event) => event.split(' ')[1])).toEqual([
      'subscription.payment.success',
      'subscription.activated',
    ]);
    const refusal = 'the subscription is active, and no cancellation is scheduled';
    expect(await subscription.commands()).toEqual([['refused', refusal]]);
    expect(await steps.answerTo(subscription, 'uncancel')).toMatchObject({
      responseStatus: 409,
      responseBody: { code: 'invalid_state' },
    });
    expect(await steps.isAnswerSealed(subscription, 'uncancel')).toBe(false);
  });

  it('pauses until an instant, at which the next period is charged', async () => {
    const subscription = await steps.subscribed();
    const until = after(START, 20 * DAY_MS);
    const step = await subscription.command(pause({ paused_until: until.toISOString() }));
    expect(step).toMatchObject({ status: 'paused', due: { at: +until } });
    const resumed = await subscription.stepAt(until);
    expect(resumed.events).toEqual([`${until.toISOString()} subscription.resumed`]);
    expect(await subscription.settle('approved')).toMatchObject({ due: { at: +until + WEEK_MS } });
  });

  it('cancels at once, or at the end of the period unless it is withdrawn, and nothing more is charged', async () => {
    const subscription = await steps.subscribed();
    await subscription.command(cancel({ at_period_end: true }));
    expect(await subscription.command(uncancel())).toMatchObject({ status: 'active' });
    await subscription.command(cancel({ at_period_end: true }));
    const ended = await subscription.stepAt(await subscription.periodEnd());
    expect(ended).toMatchObject({ status: 'canceled', due: null, openCharge: null });
    expect(await subscription.payments()).toHaveLength(1);
    const other = await steps.subscribed();
    expect(await other.command(cancel({}))).toMatchObject({ status: 'canceled', due: null });
  });

  it('waits for the result of the open charge, and is then executed in the order of the requests', async () => {
    const subscription = await steps.renewed();
    await subscription.answer(NO_ANSWER);
    for (const requested of [pause({}), resume(), cancel({})]) await subscription.request(requested);
    const ids = (await subscription.record()).commands.map(({ id }) => id);
    expect(ids).toHaveLength(3);
    expect((await subscription.step()).openCommands).toEqual(ids);
    await subscription.answerLate('approved');
    const step = await subscription.step();
    expect(step).toMatchObject({ status: 'canceled', openCommands: [], more: false });
    expect(step.events.map((event) => event.split(' ')[1])).toEqual([
      'subscription.payment.success',
      'subscription.paused',
      'subscription.resumed',
      'subscription.canceled',
    ]);
    expect(await subscription.commands()).toEqual([
      ['done', null],
      ['done', null],
      ['done', null],
    ]);
  });

  it('of more than ten is left for the next step, which follows at once', async () => {
    const subscription = await steps.renewed();
    const { row } = await subscription.record();
    await steps.storeCommands(row, { kind: 'pause', until: null }, 12);
    // The first pauses, the others are refused.
    const first = await subscription.settle('approved');
    expect(first).toMatchObject({ more: true, status: 'paused' });
    expect(first.openCommands).toHaveLength(3);
    const { recoverAfter } = (await subscription.record()).row;
    expect(recoverAfter).toEqual(after(steps.now, 5_000));
    expect(await subscription.step()).toMatchObject({ more: false, openCommands: [], events: [] });
  });
});

describe('a command that charges', () => {
  it('is in progress until its retry has a result, and done although the card was declined', async () => {
    const subscription = await steps.renewed();
    await subscription.settle(SOFT);
    steps.now = after(steps.now, HOUR_MS);
    const step = await subscription.command(retry(), 'retry');
    expect(step.openCommands).toHaveLength(1);
    expect(await subscription.commands()).toEqual([['in_progress', null]]);
    expect(await steps.answerTo(subscription, 'retry')).toMatchObject({ responseStatus: null });
    await subscription.settle(SOFT);
    expect(await subscription.commands()).toEqual([['done', null]]);
    expect(await steps.answerTo(subscription, 'retry')).toMatchObject({ responseStatus: 200 });
    expect(await subscription.payments()).toHaveLength(3);
  });

  it('is initiated by the customer until a charge of its card was approved, and by the merchant after that', async () => {
    const subscription = await steps.subscribe();
    await subscription.settle(SOFT);
    await subscription.command(retry());
    await subscription.settle('approved');
    await subscription.stepAt(await subscription.periodEnd());
    await subscription.settle(SOFT);
    steps.now = after(steps.now, HOUR_MS);
    await subscription.command(retry());
    await subscription.settle({ declined: '41' });
    await subscription.command(changeCard({ card: MASTERCARD }));
    const first = { initiator: 'customer', reason: 'first_recurring' };
    const later = { initiator: 'merchant', reason: 'recurring', networkIds: NETWORK_IDS };
    expect(await subscription.initiations()).toEqual([first, first, later, later, first]);
  });

  it('changes the card and charges it for what is unpaid, then the commands after it are executed', async () => {
    const subscription = await steps.renewed();
    await subscription.settle({ declined: '41' });
    await subscription.command(changeCard({ card: MASTERCARD }));
    await subscription.request(pause({}));
    expect(await subscription.commands()).toEqual([
      ['in_progress', null],
      ['requested', null],
    ]);
    expect(await subscription.settle('approved')).toMatchObject({ status: 'paused', openCommands: [] });
    expect((await subscription.record()).row).toMatchObject({
      card: { brand: 'mastercard' },
      cardApproved: true,
    });
    expect(await subscription.commands()).toEqual([
      ['done', null],
      ['done', null],
    ]);
  });

  it('changes the plan once the difference is paid', async () => {
    const subscription = await steps.subscribed();
    const dearer = await steps.newPlan(subscription.company, { amountCents: 2 * PRICE });
    steps.now = after(START, WEEK_MS / 2);
    const step = await subscription.command(changePlan({ plan_id: dearer.uuid }), 'plan');
    expect(step).toMatchObject({ openCharge: { transactionId: await subscription.newestPayment() } });
    expect((await subscription.record()).plan.amountCents).toBe(PRICE);
    await subscription.settle('approved');
    expect((await subscription.record()).plan.amountCents).toBe(2 * PRICE);
    expect(await subscription.commands()).toEqual([['done', null]]);
    expect(await subscription.payments()).toEqual([
      ['approved', PRICE],
      ['approved', PRICE / 2],
    ]);
    expect((await subscription.cycles()).map(({ kind, number }) => [kind, number])).toEqual([
      ['regular', 1],
      ['proration', 1],
    ]);
  });

  it('keeps the plan if the difference is declined, and says why', async () => {
    const subscription = await steps.subscribed();
    const dearer = await steps.newPlan(subscription.company, { amountCents: 2 * PRICE });
    await subscription.command(changePlan({ plan_id: dearer.uuid }), 'plan');
    await subscription.settle(SOFT);
    expect(await subscription.commands()).toEqual([
      ['refused', expect.stringMatching(/^the charge for the change was refused: ./u)],
    ]);
    expect((await subscription.record()).plan.amountCents).toBe(PRICE);
    expect(await steps.answerTo(subscription, 'plan')).toMatchObject({ responseStatus: 409 });
    expect((await subscription.cycles()).map(({ status }) => status)).toEqual(['paid', 'failed']);
  });

  it('changes to a cheaper plan at the end of the period, or at once for credit that the next period uses', async () => {
    const subscription = await steps.subscribed();
    const cheaper = await steps.newPlan(subscription.company, { amountCents: PRICE / 2 });
    await subscription.command(changePlan({ plan_id: cheaper.uuid }));
    expect((await subscription.record()).newPlan?.uuid).toBe(cheaper.uuid);
    await subscription.stepAt(await subscription.periodEnd());
    expect((await subscription.payments()).at(-1)).toEqual(['processing', PRICE / 2]);
    const other = await steps.subscribed();
    const half = await steps.newPlan(other.company, { amountCents: PRICE / 2 });
    steps.now = after(START, WEEK_MS / 2);
    await other.command(changePlan({ plan_id: half.uuid, immediately: true }));
    expect((await other.record()).state.creditBalanceCents).toBe(PRICE / 4);
    await other.stepAt(await other.periodEnd());
    expect((await other.payments()).at(-1)).toEqual(['processing', PRICE / 4]);
  });
});

describe('a command while an event is due', () => {
  it('that was stored before the renewal was due cancels before it, although workers were away', async () => {
    const subscription = await steps.subscribed();
    const requestedAt = after(START, HOUR_MS);
    steps.now = requestedAt;
    await subscription.request(cancel({}));
    const step = await subscription.stepAt(after(await subscription.periodEnd(), HOUR_MS));
    expect(step).toMatchObject({ status: 'canceled', openCharge: null });
    expect(step.events).toEqual([`${requestedAt.toISOString()} subscription.canceled`]);
    expect(await subscription.payments()).toHaveLength(1);
  });

  it('that was stored after the renewal was due, before it was charged, cancels as of then', async () => {
    const subscription = await steps.subscribed();
    const end = await subscription.periodEnd();
    steps.now = after(end, MINUTE_MS);
    const step = await subscription.command(cancel({}));
    expect(step.events).toEqual([`${end.toISOString()} subscription.canceled`]);
    expect(await subscription.payments()).toHaveLength(1);
  });

  it('that was stored after an event that charges nothing is executed after it', async () => {
    const subscription = await steps.subscribe({ request: { trial_period_days: 10 } });
    steps.now = after(START, 8 * DAY_MS);
    const { events } = await subscription.command(cancel({}));
    expect(events).toEqual([
      `${after(START, 7 * DAY_MS).toISOString()} subscription.trial_ending`,
      `${steps.now.toISOString()} subscription.canceled`,
    ]);
  });

  it('that only the event allows waits for it', async () => {
    const subscription = await steps.subscribed();
    steps.now = after(await subscription.periodEnd(), MINUTE_MS);
    const step = await subscription.command(retry());
    expect(step.openCharge).not.toBeNull();
    expect(await subscription.commands()).toEqual([['requested', null]]);
    const again = await subscription.settle(SOFT);
    expect(again.openCharge).not.toBeNull();
    expect(await subscription.commands()).toEqual([['in_progress', null]]);
    expect(await subscription.payments()).toHaveLength(3);
  });

  it('charges at the time of the step, not of the request, if workers were away', async () => {
    const subscription = await steps.renewed();
    await subscription.settle(SOFT);
    steps.now = after(steps.now, HOUR_MS);
    await subscription.request(retry());
    const late = after(steps.now, 2 * DAY_MS);
    await subscription.stepAt(late);
    expect((await subscription.record()).state.lastTransitionAt).toEqual(late);
    expect(await subscription.payments()).toHaveLength(3);
  });

  it.each<[string, number, number, string]>([
    ['executed after it while a test clock advances beyond it', 1, 2, 'requested'],
    ['executed before it once the test clock stands there', 0, 1, 'done'],
  ])('is %s', async (_, beyondMs, payments, status) => {
    const subscription = await steps.subscribed();
    const end = await subscription.periodEnd();
    await steps.advanceClock(subscription, after(end, beyondMs));
    await subscription.request(cancel({}));
    await subscription.step({ offsetMs: WEEK_MS });
    expect(await subscription.payments()).toHaveLength(payments);
    expect(await subscription.commands()).toEqual([[status, null]]);
  });
});
