import { StripeDriver } from '../../../src/gateways/stripe/driver';
import { AMOUNT, ContractBench } from './bench';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway, startVendorFake, type VendorFake } from './simulated-gateway';

const SLUG = 'gateway_4';
const SECRET = 'sk_test_contract_of_stripe';
const WEBHOOK_SECRET = 'whsec_of_the_stripe_contract';

let fake: VendorFake;

beforeAll(async () => {
  fake = await startVendorFake({
    slug: SLUG,
    vendor: 'stripe',
    secret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await fake.dispose();
});

/** What the ids of a payment's objects at the fake have in common. */
async function digitsOf(transactionId: string): Promise<string[]> {
  const { entries } = await fake.control.ledger(transactionId);
  return entries.map(({ charge_id: id }) => id.slice('ch_'.length).replaceAll('-', ''));
}

function stripe(): GatewayUnderTest {
  const { control, url } = fake;
  return {
    ...simulatedGateway(control),
    endpoints: { api: `${url}/${SLUG}` },
    goodSecret: SECRET,
    // The schema of Stripe's `setup_attempt` has none.
    returnsIdsOfVerifiedCards: false,
    accountFeatures: ['raw_cards'],
    sentOfPurchases: ['description'],
    documents: { active: '52998224725', pending: '52998224700', refused: '52998224799' },
    webhookSecret: WEBHOOK_SECRET,
    ownErrors: {
      400: 'invalid_request',
      401: 'bad_credentials',
      403: 'bad_credentials',
      404: 'invalid_request',
      409: 'ambiguous',
      424: 'ambiguous',
      429: 'rate_limited',
      500: 'ambiguous',
      502: 'ambiguous',
      503: 'ambiguous',
      504: 'ambiguous',
    },
    // The refusal says nothing about the first request with the key.
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    // Stripe's pix and boleto take their amount only, and nothing after the cancel.
    takesAnyPayment: false,
    async injectFault(transactionId, fault, operation) {
      // The list of accounts names no reference, so the fault is that of the next inquiry.
      await (operation === 'inquiry'
        ? control.script({ gateway: SLUG, operation }, fault)
        : simulatedGateway(control).injectFault(transactionId, fault, operation));
    },
    leaveToOwner: (reference) =>
      control.script({ transaction_id: reference, operation: 'recipient' }, { needs_consent: true }),
    consentLinksChange: true,
    decideRecipient: (recipientId, status) =>
      control.decideRecipient(
        recipientId.replace(/^acct_(.{8})(.{4})(.{4})(.{4})(.{12})$/, 're_$1-$2-$3-$4-$5'),
        status,
      ),
    async callbacks(transactionId) {
      const names = [transactionId, ...(await digitsOf(transactionId))];
      return fake.callbacks.filter(({ body }) => names.some((name) => body.includes(name)));
    },
    // A card is charged once, saved, charged by schedule or charged without one.
    distinctInitiations: 4,
  };
}

describeGatewayContract('Stripe', { driver: new StripeDriver(), slug: SLUG }, stripe);

it('the recipient of a split bears its refunds, and gets the captured part of an authorization', async () => {
  const bench = new ContractBench(new StripeDriver(), SLUG);
  bench.connect(stripe());
  const received = async (transactionId: string): Promise<number> => {
    const { entries } = await fake.control.ledger(transactionId);
    const sum = (side: 'credit' | 'debit') =>
      entries
        .filter((entry) => entry[side]?.startsWith('recipient:'))
        .reduce((total, { amount }) => total + amount, 0);
    return sum('credit') - sum('debit');
  };
  const split = { ...(await bench.splitTo(AMOUNT)), liable: false, chargeProcessingFee: false };
  const part = { amountCents: 4_000, splits: [{ ...split, amountCents: 4_000 }] };
  const sale = await bench.createCharge({ splits: [split] });
  expect(await received(sale.transactionId)).toBe(AMOUNT);
  const refund = bench.followUp(sale.charge, `${sale.transactionId}-1-refund-1`, part);
  await bench.driver.refund(bench.context(), refund);
  expect(await received(sale.transactionId)).toBe(AMOUNT - 4_000);
  const held = await bench.createAuthorization({ splits: [split] });
  await bench.driver.capture(
    bench.context(),
    bench.followUp(held.charge, `${held.transactionId}-1-capture`, part),
  );
  expect(await received(held.transactionId)).toBe(4_000);
  await bench.close();
});
