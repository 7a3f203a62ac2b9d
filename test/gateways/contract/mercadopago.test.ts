import { MercadoPagoDriver } from '../../../src/gateways/mercadopago/driver';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { simulatedGateway, startVendorFake, type VendorFake } from './simulated-gateway';

const SLUG = 'gateway_1';
const SECRET = 'TEST-contract-of-mercado-pago';
const WEBHOOK_SECRET = 'secret of the mercado pago contract';

let fake: VendorFake;

beforeAll(async () => {
  fake = await startVendorFake({
    slug: SLUG,
    vendor: 'mercadopago',
    secret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await fake.dispose();
});

/** The ids that the fake gave the payments of a transaction, by its search. */
async function paymentIds(transactionId: string): Promise<string[]> {
  const reference = `${transactionId}-1`;
  const query = new URLSearchParams({
    external_reference: reference,
    sort: 'date_created',
    criteria: 'desc',
  });
  const response = await fetch(`${fake.url}/${SLUG}/v1/payments/search?${query.toString()}`, {
    headers: { authorization: `Bearer ${SECRET}` },
  });
  const { results } = (await response.json()) as { results: readonly { id: number }[] };
  return results.map(({ id }) => String(id));
}

function mercadoPago(): GatewayUnderTest {
  const { control, url } = fake;
  const common = simulatedGateway(control);
  return {
    ...common,
    endpoints: { api: `${url}/${SLUG}`, auth: `${url}/${SLUG}/auth` },
    goodSecret: SECRET,
    goodClientId: '7741000000000000',
    goodCredentials: { client_secret: 'client-secret-of-the-contract' },
    // A word in place of the issuer's code; the driver gives those a code that say the same as one.
    declinedCards: { '51': common.declinedCards['51'], '78': common.declinedCards['41'] },
    advisedCards: {},
    accountFeatures: ['pix'],
    // The sample of Mercado Pago's page has none.
    returnsIdsOfVerifiedCards: false,
    documents: { active: '', pending: '', refused: '' },
    webhookSecret: WEBHOOK_SECRET,
    ownErrors: {
      400: 'invalid_request',
      401: 'bad_credentials',
      403: 'bad_credentials',
      404: 'invalid_request',
      405: 'invalid_request',
      409: 'ambiguous',
      422: 'invalid_request',
      423: 'ambiguous',
      424: 'ambiguous',
      429: 'rate_limited',
      500: 'ambiguous',
      502: 'ambiguous',
      503: 'ambiguous',
    },
    silentRepeats: ['refund'],
    // The key is answered with its first payment, which the driver recognizes as another one.
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    // Mercado Pago's pix and boleto take their amount only, and nothing after the cancel.
    takesAnyPayment: false,
    async injectFault(transactionId, fault, operation) {
      // A request for tokens names no reference, so the fault is that of the next one.
      await (operation === 'recipient'
        ? control.script({ gateway: SLUG, operation }, fault)
        : common.injectFault(transactionId, fault, operation));
    },
    async consent(link) {
      const { headers } = await fetch(link, { redirect: 'manual' });
      const back = new URL(headers.get('location') ?? '').searchParams;
      return { code: back.get('code') ?? '', state: back.get('state') ?? '' };
    },
    decideRecipient: () => Promise.reject(new Error('sellers decide themselves')),
    async callbacks(transactionId) {
      const ids = await paymentIds(transactionId);
      return fake.callbacks.filter(({ body }) => ids.some((id) => body.includes(id)));
    },
    // A card is charged once, saved, charged by its holder or charged by the company.
    distinctInitiations: 4,
    sentOfPurchases: ['payer.ip', 'payer.phone', 'items', 'description'],
  };
}

describeGatewayContract('Mercado Pago', { driver: new MercadoPagoDriver(), slug: SLUG }, mercadoPago);
