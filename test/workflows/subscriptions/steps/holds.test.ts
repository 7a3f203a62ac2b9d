import type { AuthenticatedCompany } from '../../../../src/domain/companies/company';
import { CHARGE_WINDOW_MS } from '../../../../src/domain/payments/payment';
import { CREDENTIALS_REJECTED } from '../../../../src/domain/routing/circuit';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import { commandRequest } from '../../../../src/application/subscriptions/subscription-command';
import { NO_ANSWER, type SteppedSubscription } from '../../../support/subscriptions/stepped-subscription';
import {
  after,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  PRICE,
  SETTINGS,
  SubscriptionSteps,
} from '../../../support/subscriptions/subscription-steps';

let steps: SubscriptionSteps;
beforeAll(async () => {
  steps = await SubscriptionSteps.start();
});
afterAll(() => steps.stop());

const { unresolvedAfterMs } = SETTINGS;

async function openCircuit(
  { id }: AuthenticatedCompany,
  gateway: GatewaySlug,
  until: Date,
  reason = 'unavailable',
): Promise<void> {
  await steps.engine.context.db.query(
    `INSERT INTO gateway_circuits (company_id, gateway_slug, open_until, reason) VALUES ($1, $2, $3, $4)
     ON CONFLICT (company_id, gateway_slug) DO UPDATE SET open_until = $3, reason = $4`,
    [id, gateway, until, reason],
  );
}

const NO_GATEWAY = { reason: 'not_attempted', detail: 'no gateway is enabled' };

async function removeGateways({ id }: AuthenticatedCompany): Promise<void> {
  await steps.engine.context.db.query('DELETE FROM gateway_credentials WHERE company_id = $1', [id]);
}

async function closeCircuits({ id }: AuthenticatedCompany): Promise<void> {
  await steps.engine.context.db.query('DELETE FROM gateway_circuits WHERE company_id = $1', [id]);
}

/** A renewal that is due now, while the gateways' circuits are open. */
async function dueInOutage(
  gateways: readonly GatewaySlug[] = ['gateway_1'],
  open: readonly GatewaySlug[] = gateways,
): Promise<{ subscription: SteppedSubscription; end: Date }> {
  const subscription = await steps.subscribed({ company: await steps.newCompany(gateways) });
  const end = await subscription.periodEnd();
  for (const slug of open) await openCircuit(subscription.company, slug, after(end, 300 * DAY_MS));
  return { subscription, end };
}

async function hold(subscription: SteppedSubscription) {
  return (await subscription.record()).state.openCycle?.hold ?? null;
}

/** The charge of an upgrade gets no answer: it is neither looked at again nor given up. */
async function expectUpgradeNotOnHold(subscription: SteppedSubscription): Promise<void> {
  const dearer = await steps.newPlan(subscription.company, { amountCents: 2 * PRICE });
  const open = await subscription.command(commandRequest.changePlan({ plan_id: dearer.uuid }));
  expect(open.openCharge).toMatchObject({ checkInMs: null });
  await subscription.answer(NO_ANSWER);
  const later = await subscription.stepAt(after(steps.now, unresolvedAfterMs));
  expect(later.openCharge).toMatchObject({ unresolved: false, checkInMs: null });
}

describe('a renewal while no gateway can be reached', () => {
  it('creates no payment, and is on hold until the next probe', async () => {
    const { subscription, end } = await dueInOutage();
    const step = await subscription.stepAt(end);
    expect(step).toMatchObject({ status: 'active', openCharge: null, due: { at: +end + 15 * MINUTE_MS } });
    expect(step).toMatchObject({ events: [], closedCycles: 1, more: false });
    expect(await hold(subscription)).toMatchObject({ reason: 'gateway_unavailable', since: end });
    expect(await subscription.payments()).toHaveLength(1);
    expect(await subscription.stepAt(after(end, 15 * MINUTE_MS))).toMatchObject({
      openCharge: null,
      due: { at: +end + HOUR_MS },
    });
    await closeCircuits(subscription.company);
    await subscription.stepAt(after(end, HOUR_MS));
    expect(await subscription.settle('approved')).toMatchObject({ status: 'active', closedCycles: 2 });
    expect(await hold(subscription)).toBeNull();
    expect(await subscription.payments()).toEqual([
      ['approved', PRICE],
      ['approved', PRICE],
    ]);
  });

  it('is on hold since now if workers were away when it was due', async () => {
    const { subscription, end } = await dueInOutage();
    const late = after(end, HOUR_MS);
    expect(await subscription.stepAt(late)).toMatchObject({ due: { at: +late + 15 * MINUTE_MS } });
    expect(await hold(subscription)).toMatchObject({ since: late });
  });

  it('is sent nevertheless if a person asks for it, and by an advancing test clock', async () => {
    const { subscription, end } = await dueInOutage();
    await subscription.stepAt(end);
    expect((await subscription.command(commandRequest.retry())).openCharge).not.toBeNull();
    const other = await dueInOutage();
    await steps.advanceClock(other.subscription, after(other.end, DAY_MS));
    const step = await other.subscription.step({ offsetMs: +other.end - +steps.now });
    expect(step.openCharge).not.toBeNull();
  });

  it.each<[string, GatewaySlug[], GatewaySlug[]]>([
    ['one of two gateways can be reached', ['gateway_1', 'gateway_2'], ['gateway_1']],
    ['the gateway is one that cannot only authorize', ['gateway_2'], []],
  ])('is charged if %s', async (_, gateways, open) => {
    const { subscription, end } = await dueInOutage(gateways, open);
    expect((await subscription.stepAt(end)).openCharge).not.toBeNull();
  });

  it('is charged if the circuit is open because of the credentials, or not any more', async () => {
    const { subscription, end } = await dueInOutage(['gateway_1', 'gateway_2'], []);
    await openCircuit(subscription.company, 'gateway_1', after(end, HOUR_MS), CREDENTIALS_REJECTED);
    await openCircuit(subscription.company, 'gateway_2', end);
    expect((await subscription.stepAt(end)).openCharge).not.toBeNull();
  });

  it('is on hold as not attempted, with what is in the way, if the company has no gateway any more', async () => {
    const { subscription, end } = await dueInOutage();
    await removeGateways(subscription.company);
    expect(await subscription.stepAt(end)).toMatchObject({ openCharge: null });
    expect(await hold(subscription)).toMatchObject(NO_GATEWAY);
  });

  it('is on hold with what is in the way, too, if its payment was created before', async () => {
    const { subscription, end } = await dueInOutage(['gateway_1'], []);
    expect((await subscription.stepAt(end)).openCharge).not.toBeNull();
    await removeGateways(subscription.company);
    steps.now = after(end, CHARGE_WINDOW_MS);
    await subscription.giveUp();
    expect(await hold(subscription)).toMatchObject(NO_GATEWAY);
  });

  it('is past due and not on hold if the network of its card forbids it', async () => {
    const { subscription, end } = await dueInOutage();
    const other = await steps.subscribe({ company: subscription.company });
    await other.settle({ declined: '41' });
    expect(await subscription.stepAt(end)).toMatchObject({ status: 'past_due', openCharge: null });
    expect(await hold(subscription)).toBeNull();
  });

  it('that was released since it was last tried is charged before its next probe', async () => {
    const { subscription, end } = await dueInOutage();
    await subscription.stepAt(end);
    await closeCircuits(subscription.company);
    await subscription.change('hold_released_at = hold_checked_at');
    expect((await subscription.stepAt(after(end, MINUTE_MS))).openCharge).toBeNull();
    await subscription.change(`hold_released_at = hold_checked_at + interval '1 second'`);
    expect((await subscription.step()).openCharge).not.toBeNull();
    expect(await subscription.settle('approved')).toMatchObject({ closedCycles: 2 });
  });
});

describe('a charge whose gateway does not report the outcome', () => {
  it.each(['sent and not recorded', 'unanswered'])(
    'of a renewal, %s, is on hold after a while',
    async (how) => {
      const subscription = await steps.renewed();
      const end = steps.now;
      if (how === 'unanswered') await subscription.answer(NO_ANSWER);
      else await subscription.claim();
      const early = await subscription.stepAt(after(end, unresolvedAfterMs - 1));
      expect(early.openCharge).toMatchObject({ unresolved: false, checkInMs: 1 });
      const step = await subscription.stepAt(after(end, unresolvedAfterMs));
      expect(step.openCharge).toMatchObject({ unresolved: true, checkInMs: null });
      expect(step).toMatchObject({ events: [], more: false, due: { at: +end + 10 * DAY_MS } });
      expect(await hold(subscription)).toMatchObject({
        since: end,
        reason: 'outcome_unknown',
        nextProbeAt: null,
      });
      expect(await subscription.step()).toMatchObject({ more: false, events: [] });
      await subscription.answerLate('approved');
      expect(await subscription.step()).toMatchObject({ openCharge: null, closedCycles: 2 });
      expect(await subscription.payments()).toHaveLength(2);
    },
  );

  it('of a renewal that is not sent yet is not on hold', async () => {
    const subscription = await steps.renewed();
    const step = await subscription.stepAt(after(steps.now, unresolvedAfterMs));
    expect(step.openCharge).toMatchObject({ unresolved: false, checkInMs: null });
    expect(await hold(subscription)).toBeNull();
  });

  it('of a renewal is not on hold because of a refund that has no answer', async () => {
    const subscription = await steps.renewed({ company: await steps.newCompany(['gateway_1', 'gateway_2']) });
    await subscription.answer({ declined: '91' });
    await subscription.copyAttempt({ operation: 'refund', status: 'unknown' });
    const step = await subscription.stepAt(after(steps.now, unresolvedAfterMs));
    expect(step.openCharge).toMatchObject({ unresolved: false });
  });

  it('of a renewal is on hold although another gateway declined it before', async () => {
    const subscription = await steps.renewed({ company: await steps.newCompany(['gateway_1', 'gateway_2']) });
    await subscription.answer({ declined: '91' }, NO_ANSWER);
    const step = await subscription.stepAt(after(steps.now, unresolvedAfterMs));
    expect(step.openCharge).toMatchObject({ unresolved: true });
  });

  it('of a first charge or a plan change is not on hold', async () => {
    const first = await steps.subscribe();
    await first.answer(NO_ANSWER);
    const step = await first.stepAt(after(steps.now, unresolvedAfterMs));
    expect(step.openCharge).toMatchObject({ unresolved: false, checkInMs: null });
    const subscription = await steps.subscribed();
    await expectUpgradeNotOnHold(subscription);
  });

  it('of an unpaid renewal is not on hold while an upgrade is charged', async () => {
    const subscription = await steps.renewed();
    await subscription.settle({ declined: '51' });
    await expectUpgradeNotOnHold(subscription);
    expect(await hold(subscription)).toBeNull();
  });

  it('of a probe is on hold again as soon as it is known not to be answered, and not while it is sent', async () => {
    const { subscription, end } = await dueInOutage();
    await subscription.stepAt(end);
    await closeCircuits(subscription.company);
    await subscription.stepAt(after(end, 15 * MINUTE_MS));
    await subscription.claim();
    const sent = await subscription.stepAt(after(steps.now, HOUR_MS));
    expect(sent.openCharge).toMatchObject({ unresolved: false, checkInMs: null });
    await subscription.answerLate(NO_ANSWER);
    expect((await subscription.step()).openCharge).toMatchObject({ unresolved: true, checkInMs: null });
    expect(await hold(subscription)).toMatchObject({ since: end, reason: 'outcome_unknown' });
  });

  it('of a probe is checked often while a test clock waits for it', async () => {
    const { subscription, end } = await dueInOutage();
    await subscription.stepAt(end);
    await closeCircuits(subscription.company);
    await steps.advanceClock(subscription, after(end, DAY_MS));
    const offsetMs = 15 * MINUTE_MS;
    expect((await subscription.step({ offsetMs })).openCharge).toMatchObject({ checkInMs: 500 });
    steps.now = after(end, 700);
    expect((await subscription.step({ offsetMs })).openCharge).toMatchObject({ checkInMs: 700 });
    const arrived = await subscription.step({ offsetMs: DAY_MS });
    expect(arrived.openCharge).toMatchObject({ checkInMs: null });
  });

  it('has its delayed event after ten days and stays the only charge, although no gateway can be reached then', async () => {
    const subscription = await steps.renewed();
    const end = steps.now;
    await subscription.answer(NO_ANSWER);
    const { openCharge } = await subscription.stepAt(after(end, HOUR_MS));
    await openCircuit(subscription.company, 'gateway_1', after(end, 300 * DAY_MS));
    await subscription.change(`hold_released_at = hold_checked_at + interval '1 second'`);
    const step = await subscription.stepAt(after(end, 10 * DAY_MS));
    expect(step).toMatchObject({
      openCharge: { transactionId: openCharge?.transactionId },
      events: [`${after(end, 10 * DAY_MS).toISOString()} subscription.payment.delayed`],
      more: false,
      due: null,
    });
    expect((await subscription.cycles()).at(-1)).toMatchObject({ status: 'open', nextProbeAt: null });
    expect(await subscription.payments()).toHaveLength(2);
  });
});
