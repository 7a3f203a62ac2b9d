import { GATEWAY_SLUGS, type GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { ACCOUNT_FEATURES } from '../../../src/domain/routing/learned-limits';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { startCallbackReceiver, type CallbackReceiver } from '../../support/stack/callback-receiver';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway } from './simulated-gateway';

const SECRET = 'sk_test_contract';
const WEBHOOK_SECRET = 'whsec_of_the_contract';

let simulator: OwnSimulator;
let receiver: CallbackReceiver;
beforeAll(async () => {
  [simulator, receiver] = await Promise.all([startOwnSimulator(), startCallbackReceiver()]);
  await simulator.control.setUpAccount(SECRET, {
    callback_url: receiver.url,
    webhook_secret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await simulator.dispose();
  receiver.close();
});

/** One slug for each kind of idempotency support. */
const SLUGS: ReadonlyArray<[GatewaySlug, string]> = [
  ['gateway_1', 'replays keys and looks up references'],
  ['gateway_2', 'looks up references only'],
  ['gateway_3', 'does neither'],
  ['gateway_6', 'replays keys only'],
];

function gatewayAt(slug: GatewaySlug): GatewayUnderTest {
  const { control, url } = simulator;
  const common = simulatedGateway(control);
  return {
    ...common,
    endpoints: { api: `${url}/${slug}` },
    goodSecret: SECRET,
    declinedCards: { ...common.declinedCards, '14': '4000000000000011' },
    accountFeatures: ACCOUNT_FEATURES,
    sentOfPurchases: ['payer.ip', 'payer.phone', 'items', 'return_url', 'description', 'origin'],
    documents: { active: '52998224725', pending: '11144477700', refused: '11144477799' },
    webhookSecret: WEBHOOK_SECRET,
    ownErrors: {
      400: 'invalid_request',
      401: 'bad_credentials',
      403: 'bad_credentials',
      404: 'invalid_request',
      409: 'ambiguous',
      410: 'ambiguous',
      422: 'invalid_request',
      429: 'rate_limited',
      500: 'ambiguous',
      502: 'ambiguous',
      503: 'ambiguous',
    },
    reusedKey: 'invalid_request',
    tellsInProgress: true,
    takesAnyPayment: true,
    leaveToOwner: (reference) =>
      control.script({ transaction_id: reference, operation: 'recipient' }, { needs_consent: true }),
    decideRecipient: (recipientId, status) => control.decideRecipient(recipientId, status),
    callbacks: (transactionId) => Promise.resolve(receiver.of(transactionId)),
  };
}

for (const [slug, support] of SLUGS) {
  const subject = { driver: new SimulatorDriver(), slug };
  describeGatewayContract(`simulator as ${slug}, which ${support}`, subject, () => gatewayAt(slug));
}

it('has the documented capabilities at each slug', () => {
  const driver = new SimulatorDriver();
  const table = GATEWAY_SLUGS.map((slug) => {
    const { idempotency, authorizeOnly, replayWindowMs } = driver.capabilities(slug);
    return [slug, idempotency, authorizeOnly, replayWindowMs / 3_600_000];
  });
  expect(table).toEqual([
    ['gateway_1', 'both', true, 24],
    ['gateway_2', 'lookup', false, 0],
    ['gateway_3', 'none', false, 0],
    ['gateway_4', 'both', true, 24],
    ['gateway_5', 'both', true, 24],
    ['gateway_6', 'replay', false, 24],
    ['gateway_7', 'both', true, 24],
  ]);
});
