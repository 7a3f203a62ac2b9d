import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { sale } from '../../api/support/payment-scenario';
import { rawCard } from '../../support/fixtures/payments';
import { FraudChargeback } from '../../support/stories/fraud-chargeback';
import { waitFor } from '../../support/stack/wait-for';
import { sendCommand } from '../subscriptions/command-requests';
import { newPlan, subscriptionBody, TestSubscription } from '../subscriptions/subscription-merchant';
import {
  disputePostings,
  onlyDispute,
  paymentsOfSubscription,
  ReportedDispute,
  untilDispute,
} from './dispute-scenario';

/** Three cards of their own, because a card that is disputed for fraud is charged by no subscription of its company. */
const CARDS = ['4000000000000010', '5555555555554444', '4111111111111111'].map((number) => rawCard(number));

let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
beforeAll(async () => {
  api = await startEngineApi();
  ({ byKey, byToken } = await registerCompanyWithUser(api));
});
afterAll(() => api.stop());

const paymentsOf = (subscriptionId: string) => paymentsOfSubscription(api, byKey, subscriptionId);

async function renewedSubscription(card: object = CARDS[0] ?? {}) {
  const plan = await newPlan(byKey);
  const subscription = await TestSubscription.create(byKey, subscriptionBody(plan.id, { card }));
  await subscription.advanceDays(14);
  const payments = await paymentsOf(subscription.id);
  expect(payments.map(({ status }) => status)).toEqual(['approved', 'approved', 'approved']);
  const third = payments[2];
  if (third === undefined) throw new Error('the subscription was renewed twice');
  return { plan, subscription, third, dispute: new ReportedDispute(api, third) };
}

const untilStatus = (subscription: TestSubscription, status: string) =>
  waitFor(async () => (await subscription.current()).status === status);

describe('a dispute of the third charge of a subscription', () => {
  it('pauses the subscription once it is lost, once, and whoever resumes it has the last word', async () => {
    const { subscription, third, dispute } = await renewedSubscription();
    const reason_code = '13.1';
    await dispute.send(dispute.callback({ status: 'opened', amount: 9_990, after: 0, reason_code }));
    const { id } = await untilDispute(byToken, third, 'opened');
    expect((await subscription.current()).status).toBe('active');
    await dispute.send(dispute.callback({ status: 'lost', amount: 9_990, after: 1, reason_code }));
    await untilStatus(subscription, 'paused');
    await dispute.send(dispute.callback({ status: 'opened', amount: 9_990, after: 2, reason_code }));
    await untilDispute(byToken, third, 'opened');
    await subscription.command('resume');
    await dispute.send(dispute.callback({ status: 'lost', amount: 9_990, after: 3, reason_code }));
    await untilDispute(byToken, third, 'lost');
    const commands = await api.engine.context.db.query(
      `SELECT 1 FROM subscription_commands k JOIN subscriptions s ON s.id = k.subscription_id
        WHERE s.uuid = $1 AND k.kind = 'pause'`,
      [subscription.id],
    );
    expect(commands).toHaveLength(1);
    expect((await subscription.current()).status).toBe('active');
    const paused = await api.engine.context.db.query(
      `SELECT 1 FROM events WHERE subject_id = $1 AND type = 'subscription.paused'`,
      [subscription.id],
    );
    expect(paused).toHaveLength(1);
    expect(id).not.toBe('');
  });

  it('pauses it as soon as it is opened, or never, as the company chose', async () => {
    const choose = async (pause_subscription: 'never' | 'opened' | 'lost') =>
      expectStatus(await byToken('updateCompanyConfig', { body: { disputes: { pause_subscription } } }), 200)
        .body.data;
    expect((await choose('opened')).disputes).toEqual({ pause_subscription: 'opened' });
    const [first, second] = [await renewedSubscription(), await renewedSubscription()];
    const reason_code = '13.1';
    await first.dispute.send(
      first.dispute.callback({ status: 'opened', amount: 9_990, after: 0, reason_code }),
    );
    await untilStatus(first.subscription, 'paused');
    await choose('never');
    await second.dispute.send(
      second.dispute.callback({ status: 'lost', amount: 9_990, after: 0, reason_code }),
    );
    await untilDispute(byToken, second.third, 'lost');
    expect((await second.subscription.current()).status).toBe('active');
    await choose('lost');
  });

  it('for fraud forbids every charge of the card for a subscription until the company wins, and no one-off payment', async () => {
    const [, card = {}] = CARDS;
    const { plan, subscription, third, dispute } = await renewedSubscription(card);
    await dispute.report({ status: 'opened', amount: 9_990, after: 0 });
    await untilDispute(byToken, third, 'opened');
    const created = await byKey('createSubscription', { body: subscriptionBody(plan.id, { card }) });
    expect(expectStatus(created, 422).body).toMatchObject({
      errors: { card: [expect.stringContaining('must not be charged again')] },
    });
    await subscription.advanceDays(21);
    expect(await paymentsOf(subscription.id)).toHaveLength(3);
    expectStatus(await sendCommand(byKey, subscription.id, 'retry'), 409);
    await sale(byKey, { card });
    // It charges nothing as it is: there is nothing to pause.
    await dispute.report({ status: 'lost', amount: 9_990, after: 0.5 });
    const { id } = await untilDispute(byToken, third, 'lost');
    const lost = expectStatus(await byToken('getDispute', { params: { id } }), 200).body.data;
    expect(lost.subscription).toEqual({ id: subscription.id, paused_at: null });
    expect((await subscription.current()).status).toBe('past_due');
    await dispute.report({ status: 'won', amount: 9_990, returned_amount: 9_990, after: 1 });
    await untilDispute(byToken, third, 'won');
    expectStatus(await byKey('createSubscription', { body: subscriptionBody(plan.id, { card }) }), 201);
  });

  it('for fraud forbids the card until a user releases it, for all its disputes and at once, and a later dispute forbids it again', async () => {
    const [, , card = {}] = CARDS;
    const { plan, third, dispute } = await renewedSubscription(card);
    const other = await sale(byKey, { card, amount: 9_990 });
    const second = new ReportedDispute(api, other);
    for (const reported of [dispute, second])
      await reported.report({ status: 'opened', amount: 9_990, after: 0 });
    const { id } = await untilDispute(byToken, third, 'opened');
    expect(await untilDispute(byToken, other, 'opened')).toMatchObject({
      card_block: { active: true, release: null },
    });
    const subscribe = () => byKey('createSubscription', { body: subscriptionBody(plan.id, { card }) });
    expectStatus(await subscribe(), 422);
    const release = (reason: string) => byToken('releaseCard', { params: { id }, body: { reason } });
    expectStatus(await release('  '), 422);
    const released = expectStatus(await release('confirmed by phone'), 200).body.data;
    expect(released).toMatchObject({
      status: 'opened',
      card_block: {
        active: false,
        release: { reason: 'confirmed by phone', user: expect.any(String) as unknown },
      },
    });
    expectStatus(await subscribe(), 201);
    expect((await onlyDispute(byToken, other)).card_block).toEqual(released.card_block);
    // The first release stays.
    expect(expectStatus(await release('another reason'), 200).body.data).toEqual(released);
    await dispute.report({ status: 'lost', amount: 9_990, after: 1 });
    expect((await untilDispute(byToken, third, 'lost')).card_block).toEqual(released.card_block);
    expectStatus(await subscribe(), 201);
    const later = await sale(byKey, { card, amount: 9_990 });
    await new ReportedDispute(api, later).report({ status: 'opened', amount: 9_990, after: 2 });
    await untilDispute(byToken, later, 'opened');
    expectStatus(await subscribe(), 422);
  });

  it('that blocks no card has none to release', async () => {
    const payment = await sale(byKey, { amount: 9_990 });
    const reported = new ReportedDispute(api, payment);
    await reported.report({ status: 'opened', amount: 9_990, after: 0, reason_code: '13.1' });
    const { id, card_block } = await untilDispute(byToken, payment, 'opened');
    expect(card_block).toBeNull();
    expectStatus(await byToken('releaseCard', { params: { id }, body: { reason: 'none' } }), 409);
  });

  it('blocks the card of another company neither before nor after the release', async () => {
    const card = rawCard('4012888888881881');
    const payment = await sale(byKey, { card, amount: 9_990 });
    const stranger = await registerCompanyWithUser(api);
    const theirs = await sale(stranger.byKey, { card, amount: 9_990 });
    for (const each of [payment, theirs])
      await new ReportedDispute(api, each).report({ status: 'opened', amount: 9_990, after: 0 });
    const { id } = await untilDispute(byToken, payment, 'opened');
    await untilDispute(stranger.byToken, theirs, 'opened');
    const request = { params: { id }, body: { reason: 'not theirs' } };
    expectStatus(await stranger.byToken('releaseCard', request), 404);
    expectStatus(await byToken('releaseCard', request), 200);
    expect((await onlyDispute(stranger.byToken, theirs)).card_block).toEqual({ active: true, release: null });
  });
});

/** A story of the support runbook. */
it('a third renewal disputed for fraud is lost: the card is not charged again, renewals pause, and the liable recipient bears the loss', async () => {
  const merchant = { api, ...(await registerCompanyWithUser(api, [])) };
  const story = await FraudChargeback.renewThreeTimes(merchant, rawCard('4000000000000010'));
  const { subscription, disputed } = story;
  const id = await story.open();
  const dispute = async () =>
    expectStatus(await merchant.byToken('getDispute', { params: { id } }), 200).body.data;
  expect(await dispute()).toMatchObject({
    ...{ status: 'opened', answers: ['accept', 'evidence'], card_block: { active: true, release: null } },
    ...{ subscription: { id: subscription.id, paused_at: null }, workflow: { id: `dispute/${id}` } },
  });
  await story.lose();
  expect((await subscription.advanceDays(35)).status).toBe('paused');
  const charges = await paymentsOfSubscription(api, merchant.byKey, subscription.id);
  expect(charges.map(({ status }) => status)).toEqual(Array(4).fill('approved'));
  expect(await dispute()).toMatchObject({
    ...{ status: 'lost', answers: [], card_block: { active: true } },
    subscription: { paused_at: expect.any(String) as unknown },
  });
  expect(await disputePostings(merchant.byToken, disputed)).toEqual([
    ['dispute_held', 'dispute_hold 9990', 'gateway_receivable -9990'],
    ['dispute_lost', 'dispute_hold -9990', 'recipient_payable 9990'],
  ]);
  const query = { subscription_id: subscription.id };
  const { data } = expectStatus(await merchant.byToken('listDisputes', { query }), 200).body;
  expect(data.map((each) => each.id)).toEqual([id]);
});
