import type { components } from '../../../src/http/generated/openapi';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import {
  sendCommand,
  GOOD_CARD,
  SOFT_DECLINE_CARD,
  DECLINED_ON_RENEWAL_CARD,
  type CommandName,
} from './command-requests';
import {
  advanced,
  newPlan,
  startMerchant,
  subscriptionBody,
  TestSubscription,
  withCommand,
  type SubscriptionMerchant,
} from './subscription-merchant';

type Plan = components['schemas']['Plan'];
type Status = components['schemas']['SubscriptionStatus'];

let merchant: SubscriptionMerchant;
let weekly: Plan;
let cheaper: Plan;
beforeAll(async () => {
  merchant = await startMerchant();
  weekly = await newPlan(merchant.client);
  cheaper = await newPlan(merchant.client, { name: 'Silver', amount: 4_990 });
});
afterAll(() => merchant.api.stop());

const subscribe = (change: object = {}): Promise<TestSubscription> =>
  TestSubscription.create(merchant.client, subscriptionBody(weekly.id, change));

/** Renewals are declined. The amount is unique, because networks count declines by card and amount. */
async function withDeclinedRenewals(): Promise<TestSubscription> {
  const plan = await newPlan(merchant.client, { amount: uniqueAmount() });
  return TestSubscription.create(
    merchant.client,
    subscriptionBody(plan.id, { card: DECLINED_ON_RENEWAL_CARD }),
  );
}

/** Creates a subscription in each state. */
const STATES = {
  pending: () => subscribe({ card: SOFT_DECLINE_CARD }),
  trialing: () => subscribe({ trial_period_days: 7 }),
  active: () => subscribe(),
  'active, in dunning': async () => advanced(await withDeclinedRenewals(), 7),
  'active, canceling at period end': async () =>
    withCommand(await subscribe(), 'cancel', { at_period_end: true }),
  past_due: async () => advanced(await withDeclinedRenewals(), 23),
  paused: async () => withCommand(await subscribe(), 'pause'),
  canceled: async () => withCommand(await subscribe(), 'cancel'),
} as const;

/** Every command with its body. */
const COMMANDS = {
  pause: ['pause'],
  resume: ['resume'],
  'cancel now': ['cancel'],
  'cancel at period end': ['cancel', { at_period_end: true }],
  uncancel: ['uncancel'],
  'change plan': ['plan', () => ({ plan_id: cheaper.id })],
  'change card': ['card', { card: GOOD_CARD }],
  retry: ['retry'],
} as const satisfies Record<string, readonly [CommandName, (object | (() => object))?]>;

type Command = keyof typeof COMMANDS;

/** The allowed commands in each state and the status afterwards. All others are refused. See docs/decisions/subscriptions.md. */
const ALLOWED: Record<keyof typeof STATES, Partial<Record<Command, Status>>> = {
  // The retry is allowed, and its card is declined again.
  pending: { 'change card': 'active', retry: 'pending', 'cancel now': 'canceled' },
  trialing: {
    'change card': 'trialing',
    'change plan': 'trialing',
    'cancel now': 'canceled',
    'cancel at period end': 'trialing',
  },
  active: {
    pause: 'paused',
    'change card': 'active',
    'change plan': 'active',
    'cancel now': 'canceled',
    'cancel at period end': 'active',
  },
  'active, in dunning': {
    pause: 'paused',
    'change card': 'active',
    'change plan': 'active',
    retry: 'active',
    'cancel now': 'canceled',
    'cancel at period end': 'active',
  },
  'active, canceling at period end': {
    pause: 'paused',
    'change card': 'active',
    'change plan': 'active',
    uncancel: 'active',
    'cancel now': 'canceled',
    'cancel at period end': 'active',
  },
  past_due: { 'change card': 'active', retry: 'past_due', 'cancel now': 'canceled' },
  paused: { resume: 'active', 'change card': 'paused', 'cancel now': 'canceled' },
  canceled: {},
};

function send(client: ApiClient, uuid: string, command: Command) {
  const [name, body] = COMMANDS[command] as readonly [CommandName, (object | (() => object))?];
  return sendCommand(client, uuid, name, typeof body === 'function' ? (body as () => object)() : body);
}

describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('a subscription that is %s', (state) => {
  const allowed = ALLOWED[state];
  const refused = (Object.keys(COMMANDS) as Command[]).filter((command) => !(command in allowed));

  it('refuses other commands with a 409 that names the status, and does not change', async () => {
    const subscription = await STATES[state]();
    const before = { subscription: await subscription.current(), events: await subscription.events() };
    for (const command of refused) {
      const answer = await send(merchant.client, subscription.id, command);
      expect([command, answer.status, answer.body]).toEqual([
        command,
        409,
        expect.objectContaining({
          code: 'invalid_state',
          message: expect.stringContaining(before.subscription.status) as string,
        }),
      ]);
    }
    expect({ subscription: await subscription.current(), events: await subscription.events() }).toEqual(
      before,
    );
  });

  if (Object.keys(allowed).length === 0) return;
  it.each(Object.entries(allowed) as [Command, Status][])('accepts %s and is %s', async (command, status) => {
    const subscription = await STATES[state]();
    const { body } = expectStatus(await send(merchant.client, subscription.id, command), 200);
    expect(body.data).toMatchObject({ id: subscription.id, status, pending_action: null });
    expect(body.data).toEqual(await subscription.current());
  });
});

describe('a command', () => {
  it.each(['00000000-0000-7000-8000-000000000000', 'no-uuid'])(
    'to %s, which does not exist, is answered 404',
    async (id) => {
      for (const command of Object.keys(COMMANDS) as Command[]) {
        expect([command, (await send(merchant.client, id, command)).status]).toEqual([command, 404]);
      }
    },
  );
});
