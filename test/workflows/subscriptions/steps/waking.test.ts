import { commandRequest } from '../../../../src/application/subscriptions/subscription-command';
import { jitterOf } from '../../../../activities/subscriptions/subscription-deps';
import type { SubscriptionId } from '../../../../src/domain/shared/ids';
import { addEndpoint } from '../../../support/fixtures/webhooks';
import { NO_ANSWER, type SteppedSubscription } from '../../../support/subscriptions/stepped-subscription';
import {
  after,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SETTINGS,
  START,
  SubscriptionSteps,
} from '../../../support/subscriptions/subscription-steps';

let steps: SubscriptionSteps;
beforeAll(async () => {
  steps = await SubscriptionSteps.start();
});
afterAll(() => steps.stop());

const WEEK_MS = 7 * DAY_MS;
const RECOVERY_MS = 2 * MINUTE_MS;

async function recoverAfter(subscription: SteppedSubscription): Promise<Date | null> {
  return (await subscription.record()).row.recoverAfter;
}

describe('the sweeper wakes the workflow', () => {
  it('two minutes after the renewal, which is spread over the jitter', async () => {
    const subscription = await steps.subscribed();
    const { jitterMs } = await subscription.step();
    expect(jitterMs).toBe(jitterOf(subscription.id, SETTINGS.jitterMs));
    const end = await subscription.periodEnd();
    expect(await recoverAfter(subscription)).toEqual(after(end, jitterMs + RECOVERY_MS));
  });

  it.each([
    ['00000000', 0],
    ['80000000', 30_000],
    ['ffffffff', 59_999],
  ])('at a place in the jitter that the last 32 bits of its id, such as %s, choose', (bits, ms) => {
    expect(jitterOf(`019a3c5e-7b1d-7c44-9f00-1234${bits}` as SubscriptionId, SETTINGS.jitterMs)).toBe(ms);
  });

  it('of a paused subscription never, for only a request can change it', async () => {
    const subscription = await steps.subscribed();
    await subscription.command(commandRequest.pause({}));
    expect(await recoverAfter(subscription)).toBeNull();
  });

  it('two minutes later while a charge is open, and an hour later while an operator must decide about it', async () => {
    const subscription = await steps.renewed();
    expect(await recoverAfter(subscription)).toEqual(after(steps.now, RECOVERY_MS));
    await steps.engine.context.db.query('UPDATE payments SET stuck_at = $2 WHERE transaction_id = $1', [
      await subscription.newestPayment(),
      steps.now,
    ]);
    await subscription.step();
    expect(await recoverAfter(subscription)).toEqual(after(steps.now, HOUR_MS + RECOVERY_MS));
  });

  it('five seconds later while a test clock advances, and by that clock once it stands', async () => {
    const subscription = await steps.subscribed();
    await steps.advanceClock(subscription, after(START, DAY_MS));
    expect(await subscription.step({ offsetMs: DAY_MS - 1 })).toMatchObject({ more: false });
    expect(await recoverAfter(subscription)).toEqual(after(START, 5_000));
    const { jitterMs } = await subscription.step({ offsetMs: DAY_MS });
    expect(await recoverAfter(subscription)).toEqual(after(START, WEEK_MS - DAY_MS + jitterMs + RECOVERY_MS));
  });
});

describe('a test clock', () => {
  it('is stored by each step, and never goes back', async () => {
    const subscription = await steps.subscribed();
    const target = after(START, 2 * DAY_MS);
    expect(await subscription.step({ offsetMs: 0 })).toMatchObject({ clock: { offsetMs: 0, target: null } });
    expect((await subscription.record()).row).toMatchObject({ clockNow: null, clockOffsetMs: 0 });
    await steps.advanceClock(subscription, target);
    const step = await subscription.step({ offsetMs: DAY_MS });
    expect(step.clock).toEqual({ offsetMs: DAY_MS, target: +target });
    const stored = { clockNow: after(START, DAY_MS), clockOffsetMs: DAY_MS };
    expect((await subscription.record()).row).toMatchObject(stored);
    expect((await subscription.step({ offsetMs: 0 })).clock.offsetMs).toBe(DAY_MS);
    expect((await subscription.record()).row).toMatchObject(stored);
  });

  it('renews at the target by its offset, and stops at the instant that the workflow chose', async () => {
    const subscription = await steps.subscribed();
    const end = await subscription.periodEnd();
    await steps.advanceClock(subscription, after(end, DAY_MS));
    steps.now = after(START, HOUR_MS);
    const early = await subscription.step({ now: +START, offsetMs: WEEK_MS - 1 });
    expect(early.openCharge).toBeNull();
    const step = await subscription.step({ now: +START, offsetMs: WEEK_MS });
    expect(step.openCharge).not.toBeNull();
    expect((await subscription.record()).state.lastTransitionAt).toEqual(end);
  });
});

describe('a step that began', () => {
  it('long ago is made for the present, so its charge begins now', async () => {
    const subscription = await steps.subscribed();
    const end = await subscription.periodEnd();
    steps.now = after(end, HOUR_MS);
    await subscription.step({ now: +START });
    expect((await subscription.record()).state.lastTransitionAt).toEqual(steps.now);
  });

  it('on a worker whose clock is behind the workflow’s is made for the workflow’s time', async () => {
    const subscription = await steps.subscribed();
    const end = await subscription.periodEnd();
    const step = await subscription.step({ now: +end });
    expect(step.openCharge).not.toBeNull();
  });
});

describe('what a step hands over after its commit', () => {
  it('are the deliveries of its events, and nothing without any', async () => {
    const subscription = await steps.renewed();
    await subscription.answer(NO_ANSWER);
    expect(steps.startedDeliveries).toEqual([]);
    const { engine } = steps;
    await addEndpoint(engine, subscription.company, 'http://127.0.0.1:9/', ['subscription.payment.success']);
    await subscription.answerLate('approved');
    await subscription.step();
    expect(steps.startedDeliveries).toEqual([1]);
  });
});
