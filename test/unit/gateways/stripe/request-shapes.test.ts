import Stripe from 'stripe';
import type { GatewayHttpRequest } from '../../../../src/gateways/http';
import { StripeDriver } from '../../../../src/gateways/stripe/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { allRequests, charge, sentBy, verify } from './all-requests';
import { decodeForm, type PathsDocument, requestProblems } from './request-check';
import { ADDRESS, chargeRequest, followUp, REFERENCE } from './stripe-stub';

const driver = new StripeDriver();
const NETWORK_IDS = { transactionId: '0931', transactionLinkId: null, eloReference: null };

describeWithOracle('stripe/spec3.subset.json', 'the description of Stripe’s API', (content) => {
  const document = content as PathsDocument;

  it('has every request of the driver with these parameters', async () => {
    // It leaves SetupIntents and account links out.
    const requests = (await allRequests()).filter(({ url }) => !/setup_intents|account_links/.test(url));
    expect(new Set(requests.map(({ method, url }) => `${method} ${new URL(url).pathname}`)).size).toBe(14);
    expect(requests.flatMap((request) => requestProblems(document, request))).toEqual([]);
  });

  it('does not have the network transaction id, which Stripe enables for single accounts', async () => {
    const [, request] = await charge({
      initiation: { initiator: 'merchant', reason: 'recurring', networkIds: NETWORK_IDS },
    });
    expect(request && requestProblems(document, request)).toEqual([
      'body.payment_method_options.card.mit_exemption is unknown',
    ]);
  });
});

/** What Stripe's SDK sends for a call, without sending it. */
async function sdkSends(call: (sdk: Stripe) => Promise<unknown>): Promise<{ path: string; body: string }[]> {
  const sent: { path: string; body: string }[] = [];
  const fetchFn: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    sent.push({ path: url.pathname, body: typeof init?.body === 'string' ? init.body : '' });
    return Promise.resolve(Response.json({ id: 'pm_1', object: 'payment_method' }));
  };
  const httpClient = Stripe.createFetchHttpClient(fetchFn);
  await call(new Stripe('sk_test_sdk', { httpClient, maxNetworkRetries: 0, telemetry: false }));
  return sent;
}

const pathOf = ({ url }: GatewayHttpRequest): string => new URL(url).pathname;
const bodies = (requests: readonly { body?: string }[]) => requests.map(({ body }) => decodeForm(body ?? ''));

describe('the driver and Stripe’s SDK', () => {
  it('send the same requests for a verification, a charge, a capture, a cancel and a refund', async () => {
    const ours = [
      ...(await verify()).slice(1),
      ...(await charge({ billingAddress: ADDRESS })),
      ...(await sentBy(({ ctx }) =>
        driver.capture(ctx, followUp({ reference: `${REFERENCE}-capture`, amountCents: 990 })),
      )),
      ...(await sentBy(({ ctx }) => driver.cancel(ctx, followUp()))),
      ...(await sentBy(({ ctx }) => driver.refund(ctx, followUp({ reason: 'pedido & "cancelado"' })))),
    ];
    const theirs = await sdkSends(async (sdk) => {
      const setup = {
        confirm: true,
        payment_method: 'pm_1',
        usage: 'off_session',
        metadata: { reference: REFERENCE },
      } as const;
      await sdk.setupIntents.create({ ...setup, payment_method_types: ['card'] } as typeof setup);
      await sdk.setupIntents.cancel('seti_1', { cancellation_reason: 'abandoned' });
      await sdk.paymentMethods.create({
        type: 'card',
        card: { number: '4242424242424242', exp_month: 3, exp_year: 2030, cvc: '123' },
        billing_details: {
          name: 'ANA LIMA',
          email: 'ana@example.com',
          address: {
            line1: 'Rua A, 1',
            line2: 'Centro',
            city: 'Recife',
            state: 'PE',
            postal_code: '50000000',
            country: 'BR',
          },
        },
      });
      // The SDK is of a later version, which has `allowed_payment_method_types`; it sends what it does not know, too.
      const params = {
        amount: 12_990,
        currency: 'brl',
        confirm: true,
        description: 'Camiseta azul',
        payment_method_types: ['card'],
        metadata: { reference: REFERENCE },
        expand: ['latest_charge.refunds'],
        capture_method: 'automatic',
        payment_method: 'pm_1',
        error_on_requires_action: true,
      } as const;
      await sdk.paymentIntents.create(params as unknown as Stripe.PaymentIntentCreateParams);
      await sdk.paymentIntents.capture('pi_1', {
        amount_to_capture: 990,
        metadata: { capture_reference: `${REFERENCE}-capture` },
      });
      await sdk.paymentIntents.cancel('pi_1', { cancellation_reason: 'requested_by_customer' });
      const metadata = { reference: `${REFERENCE}-refund`, reason: 'pedido & "cancelado"' };
      await sdk.refunds.create({ payment_intent: 'pi_1', amount: 12_990, metadata });
    });
    expect(ours.map(pathOf)).toEqual(theirs.map(({ path }) => path));
    expect(bodies(ours)).toEqual(bodies(theirs));
  });
});

interface FieldProbe {
  readonly flows: Readonly<
    Record<string, { readonly default: { readonly sample: { readonly url: string; readonly body: string } } }>
  >;
}

describeWithOracle('stripe/field-probe.json', 'the requests of an independent implementation', (content) => {
  const { flows } = content as FieldProbe;
  const sampleOf = (flow: string) => flows[flow]?.default.sample ?? { url: '', body: '' };
  /** The other implementation writes a month as `03`, and names our reference by another key. */
  const plain = (body: string) =>
    Object.fromEntries(
      [...new URLSearchParams(body.replaceAll(/=0(\d)(?=&|$)/g, '=$1'))].filter(
        ([name]) => !name.startsWith('metadata'),
      ),
    );

  it('have the parameters of ours, for the same card, verification, capture, cancel and refund', async () => {
    const { card } = chargeRequest();
    const same = card && {
      ...card,
      number: '4111111111111111',
      cvv: '737',
      expireMonth: 3,
      expireYear: 2030,
    };
    const id = { gatewayTransactionId: 'probe_connector_txn_001', amountCents: 1_000 };
    const [method] = await charge({ card: same });
    const [capture] = await sentBy(({ ctx }) => driver.capture(ctx, followUp(id)));
    const [cancel] = await sentBy(({ ctx }) => driver.cancel(ctx, followUp(id)));
    const [refund] = await sentBy(({ ctx }) => driver.refund(ctx, followUp(id)));
    const [, setup] = await verify();
    const { payment_method: _, ...setupParams } = plain(setup?.body ?? '');
    expect(plain(sampleOf('setup_recurring').body)).toMatchObject(setupParams);
    expect(setup && pathOf(setup)).toBe(new URL(sampleOf('setup_recurring').url).pathname);
    for (const [flow, ours] of Object.entries({ tokenize: method, capture, void: cancel, refund })) {
      const { url, body } = sampleOf(flow);
      expect([flow, new URL(url).pathname]).toEqual([flow, ours && pathOf(ours)]);
      expect(plain(ours?.body ?? '')).toMatchObject(plain(body));
    }
  });
});
