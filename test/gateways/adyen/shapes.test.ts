import { randomUUID } from 'node:crypto';
import { AdyenDriver } from '../../../src/gateways/adyen/driver';
import { GatewayHttp } from '../../../src/gateways/http';
import type { Accepted, GatewayContext, Outcome } from '../../../src/gateways/gateway';
import { describeWithOracle } from '../../support/vendors/oracles';
import { ValidatingProxy } from '../../support/vendors/validating-proxy';
import {
  ADDRESS,
  adyenStub,
  billetRequest,
  chargeRequest,
  followUp,
  pixRequest,
} from '../../unit/gateways/adyen/adyen-stub';
import { AdyenBench } from '../vendors/adyen/bench';

/* The driver, Prism with the document of Adyen's Checkout, and the fake of Adyen: each request and each answer is checked. */

const driver = new AdyenDriver();
const http = new GatewayHttp();
let fake: AdyenBench;
beforeAll(async () => {
  fake = await AdyenBench.start();
});
afterAll(async () => {
  await http.close();
  await fake.stop();
});

const accepted = (outcome: Outcome): Accepted => {
  if (outcome.kind === 'declined') throw new Error(`declined: ${outcome.message}`);
  return outcome;
};
const splitOf = (amountCents: number) => ({
  ...{ recipientId: 'BA3227C223222H5J4DCGQ9V9L', amountCents, liable: false, chargeProcessingFee: false },
});
const newReference = (): string => `${randomUUID()}-1`;
const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

describeWithOracle('adyen/CheckoutService-v72.json', 'the document of Adyen’s Checkout', (document) => {
  let proxy: ValidatingProxy;
  beforeAll(async () => {
    proxy = await ValidatingProxy.start({
      ...{ document, upstream: fake.url.replace(/\/v72$/, ''), prefix: '/v72' },
    });
  });
  afterAll(() => proxy.stop());

  const context = (): GatewayContext => ({
    ...adyenStub().ctx,
    credentials: { merchant_account: 'StubMerchant', balance_platform: 'StubPlatform' },
    endpoints: { api: proxy.url },
    idempotencyKey: randomUUID(),
    sendBefore: Date.now() + 10_000,
    http: http.call({ timeoutMs: 10_000, clientCertificate: null }),
  });

  it('allows every request of the driver, and the answers that it reads', async () => {
    await driver.verifyCredentials(context());
    const { card, ...rest } = chargeRequest();
    if (card === null) throw new Error('a card is needed');
    const initiation = { initiator: 'customer', reason: 'first_saved' } as const;
    await driver.verifyCard(context(), { ...rest, reference: randomUUID(), card, initiation });
    const networkIds = { transactionId: '0931', transactionLinkId: 'link', eloReference: null };
    const charges = [
      chargeRequest({ installments: 12, softDescriptor: 'LOJA', billingAddress: ADDRESS }),
      chargeRequest({ initiation: { initiator: 'merchant', reason: 'unscheduled', networkIds } }),
      pixRequest({ pix: { expiresInSeconds: 3_600, expiresAt: inAnHour(), lastDay: null } }),
      billetRequest(),
      chargeRequest({ splits: [splitOf(12_990)] }),
    ];
    for (const request of charges) {
      accepted(await driver.charge(context(), { ...request, reference: newReference() }));
    }
    for (const kinds of [['capture', 'refund'], ['cancel']] as const) {
      const reference = newReference();
      const splits = [splitOf(12_990)];
      const request = chargeRequest({ reference, splits });
      const { gatewayTransactionId } = accepted(await driver.authorize(context(), request));
      for (const kind of kinds) {
        const operation = followUp({ reference: `${reference}-${kind}`, gatewayTransactionId, splits });
        expect(await driver[kind](context(), operation)).toMatchObject({ kind: 'pending' });
      }
    }
    expect(await proxy.violations()).toEqual([]);
  });
});
