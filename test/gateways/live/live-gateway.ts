import type { GatewayUnderTest } from '../contract/gateway-under-test';
import { FOR_NOBODY, KEEP_NOTHING } from '../../support/fixtures/gateway-calls';
import { newGatewayContext } from '../../../src/gateways/new-gateway-context';
import { GatewayHttp } from '../../../src/gateways/http';
import type { LiveVendor } from './live-vendors';
import { LiveLimit, type RecordingProxy } from './recording-proxy';
import { sameGateways } from '../../support/same-gateways';

const TIMEOUT_MS = 10_000;
const limit = (what: string) => Promise.reject(new LiveLimit(what));

/** A vendor's test environment behind the proxy. What only the vendor can do is a `LiveLimit`, which leaves the test out. */
export function liveGateway(vendor: LiveVendor, proxy: RecordingProxy): GatewayUnderTest {
  const { account, driver, slug } = vendor;
  const { secretKey, credentials } = account.values;
  return {
    endpoints: proxy.endpoints,
    goodSecret: secretKey,
    goodCredentials: credentials,
    ...(account.clientId !== null && { goodClientId: account.clientId }),
    badSecret: `${secretKey.slice(0, 8)}${'x'.repeat(24)}`,
    get declinedCards(): never {
      throw new LiveLimit('the codes of declines are not chosen');
    },
    cardsDeclinedWithoutCode: {},
    advisedCards: {},
    get documents(): never {
      throw new LiveLimit('no documents of recipients are known');
    },
    webhookSecret: '',
    ownErrors: {},
    reusedKey: 'ambiguous',
    tellsInProgress: false,
    takesAnyPayment: false,
    ...vendor.facts,
    injectFault(transactionId, fault, operation) {
      proxy.plan(transactionId, fault, operation === 'inquiry');
      return Promise.resolve();
    },
    async netCapturedCents(transactionId) {
      const http = new GatewayHttp();
      const endpoints = () => vendor.endpoints;
      const context = newGatewayContext(
        {
          registries: sameGateways({ driver: () => driver, endpoints }),
          http,
          unrecognizedAnswers: KEEP_NOTHING,
        },
        {
          slug,
          ...account,
          idempotencyKey: '',
          sendBefore: Infinity,
          timeoutMs: TIMEOUT_MS,
          asked: FOR_NOBODY,
        },
      );
      const subject = { reference: `${transactionId}-1`, gatewayTransactionId: null, sentAt: new Date() };
      const result = await driver.inquire(context, subject);
      await http.close();
      if (result.kind === 'inconclusive') throw new LiveLimit(result.reason);
      const state =
        result.kind === 'found' && result.outcome.kind !== 'declined' ? result.outcome.chargeState : null;
      return state === null ? 0 : state.capturedCents - state.refundedCents;
    },
    pay: () => limit('nobody pays'),
    decideRecipient: () => limit('only the vendor decides'),
    dispute: () => limit('nobody disputes'),
    callbacks: () => limit('webhooks need a public address'),
    receivedInitiations: () => limit('the vendor does not tell what it received'),
    receivedPurchases: () => limit('the vendor does not tell what it received'),
    requestCount: (transactionId) => Promise.resolve(proxy.requestCount(transactionId)),
    pending: {
      leave: () => limit('the vendor decides when an operation is carried out'),
      finish: () => limit('the vendor decides when an operation is carried out'),
    },
  };
}
