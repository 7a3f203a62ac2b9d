import type { components } from '../../../src/http/generated/openapi';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { uniqueAmount } from '../../support/scenarios/pay';
import { ask, GOOD_CARD, REFUSED_CARD, RUNS_DRY, type Asked } from './command-requests';
import {
  newPlan,
  openShop,
  subscriptionBody,
  TestSubscription,
  type SubscriptionShop,
} from './subscription-merchant';

type Plan = components['schemas']['Plan'];
type Status = components['schemas']['SubscriptionStatus'];

let shop: SubscriptionShop;
let weekly: Plan;
let cheaper: Plan;
beforeAll(async () => {
  shop = await openShop();
  weekly = await newPlan(shop.client);
  cheaper = await newPlan(shop.client, { name: 'Silver', amount: 4_990 });
});
afterAll(() => shop.api.stop());

const subscribe = (change: object = {}): Promise<TestSubscription> =>
  TestSubscription.create(shop.client, subscriptionBody(weekly.id, change));

/** Its renewals are refused; of an amount of its own, because networks count refusals by card and amount. */
async function runningDry(): Promise<TestSubscription> {
  const plan = await newPlan(shop.client, { amount: uniqueAmount() });
  return TestSubscription.create(shop.client, subscriptionBody(plan.id, { card: RUNS_DRY }));
}

async function asked(subscription: TestSubscription, what: Asked, body?: object): Promise<TestSubscription> {
  expectStatus(await ask(shop.client, subscription.id, what, body), 200);
  return subscription;
}

async function lived(subscription: TestSubscription, days: number): Promise<TestSubscription> {
  await subscription.liveTo(days);
  return subscription;
}

/** Every state, and a subscription brought there. */
const STATES = {
  pending: () => subscribe({ card: REFUSED_CARD }),
  trialing: () => subscribe({ trial_period_days: 7 }),
  active: () => subscribe(),
  'active, in dunning': async () => lived(await runningDry(), 7),
  'active, to be canceled': async () => asked(await subscribe(), 'cancel', { at_period_end: true }),
  past_due: async () => lived(await runningDry(), 23),
  paused: async () => asked(await subscribe(), 'pause'),
  canceled: async () => asked(await subscribe(), 'cancel'),
} as const;

/** Every command, and its body. */
const COMMANDS = {
  pause: ['pause'],
  resume: ['resume'],
  'cancel now': ['cancel'],
  'cancel at period end': ['cancel', { at_period_end: true }],
  uncancel: ['uncancel'],
  'change plan': ['plan', () => ({ plan_id: cheaper.id })],
  'change card': ['card', { card: GOOD_CARD }],
  retry: ['retry'],
} as const satisfies Record<string, readonly [Asked, (object | (() => object))?]>;

type Command = keyof typeof COMMANDS;

/** What may be asked in each state, and the status after it; everything else is refused (decisions, section 7). */
const ALLOWED: Record<keyof typeof STATES, Partial<Record<Command, Status>>> = {
  // Its card is refused again: the retry is made all the same.
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
  'active, to be canceled': {
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
  const [what, body] = COMMANDS[command] as readonly [Asked, (object | (() => object))?];
  return ask(client, uuid, what, typeof body === 'function' ? (body as () => object)() : body);
}

describe.each(Object.keys(STATES) as (keyof typeof STATES)[])('a subscription that is %s', (state) => {
  const allowed = ALLOWED[state];
  const refused = (Object.keys(COMMANDS) as Command[]).filter((command) => !(command in allowed));

  it('refuses what its state forbids with a 409 that names the state, and stays as it was', async () => {
    const subscription = await STATES[state]();
    const before = { subscription: await subscription.now(), events: await subscription.events() };
    for (const command of refused) {
      const answer = await send(shop.client, subscription.id, command);
      expect([command, answer.status, answer.body]).toEqual([
        command,
        409,
        expect.objectContaining({
          code: 'invalid_state',
          message: expect.stringContaining(before.subscription.status) as string,
        }),
      ]);
    }
    expect({ subscription: await subscription.now(), events: await subscription.events() }).toEqual(before);
  });

  if (Object.keys(allowed).length === 0) return;
  it.each(Object.entries(allowed) as [Command, Status][])('obeys %s and is %s', async (command, status) => {
    const subscription = await STATES[state]();
    const { body } = expectStatus(await send(shop.client, subscription.id, command), 200);
    expect(body.data).toMatchObject({ id: subscription.id, status, pending_action: null });
    expect(body.data).toEqual(await subscription.now());
  });
});

describe('a command', () => {
  it.each(['00000000-0000-7000-8000-000000000000', 'no-uuid'])(
    'to %s, which nobody has, is 404',
    async (id) => {
      for (const command of Object.keys(COMMANDS) as Command[]) {
        expect([command, (await send(shop.client, id, command)).status]).toEqual([command, 404]);
      }
    },
  );
});
