import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { RawCallback } from '../../../src/gateways/callback';
import { scriptedOperation } from '../../../src/simulator/scripts';
import type { SimulatedVendor } from '../../../src/simulator/vendors/registry';
import { startOwnSimulator, type OwnSimulator, type SimulatorControl } from '../../support/stack/simulator';
import type { GatewayUnderTest } from './gateway-under-test';

/** A simulator that speaks a vendor's protocol at one slug, and what it has sent as callbacks. */
export interface VendorFake extends OwnSimulator {
  readonly callbacks: readonly RawCallback[];
}

interface VendorFakeOptions {
  readonly slug: GatewaySlug;
  readonly vendor: SimulatedVendor;
  readonly secret: string;
  readonly webhookSecret: string;
}

export async function startVendorFake({
  slug,
  vendor,
  secret,
  webhookSecret,
}: VendorFakeOptions): Promise<VendorFake> {
  const callbacks: RawCallback[] = [];
  const receiver = createServer((request, response) => {
    void buffer(request).then((body) => {
      const query = new URL(`http://receiver${request.url}`).search.slice(1);
      callbacks.push({ body, headers: singleHeaders(request.headers), query });
      response.writeHead(200).end();
    });
  });
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  const simulator = await startOwnSimulator({ [`SIMULATOR_${slug.toUpperCase()}`]: vendor });
  await simulator.control.setUpAccount(secret, {
    callback_url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    webhook_secret: webhookSecret,
  });
  const dispose = async (): Promise<void> => {
    await simulator.dispose();
    receiver.closeAllConnections();
    receiver.close();
  };
  return { ...simulator, dispose, callbacks };
}

function singleHeaders(headers: IncomingHttpHeaders): RawCallback['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
}

/** What does not depend on the protocol that the simulator speaks: its test cards, and what its control routes do. */
export function simulatedGateway(control: SimulatorControl) {
  return {
    badSecret: 'sk_invalid_contract',
    approvedCard: '4000000000000010',
    declinedCards: {
      '05': '4000000000000002',
      '51': '4000000000009995',
      '41': '4000000000009987',
      '43': '4000000000009979',
    },
    cardsDeclinedWithoutCode: { soft: '4000000000000044', fraud: '4000000000000051' },
    advisedCards: { '24': '5100000000000024', '03': '5100000000000503' },
    async injectFault(transactionId, fault, operation) {
      const match = {
        transaction_id: transactionId,
        ...(operation === undefined ? {} : { operation: scriptedOperation.parse(operation) }),
      };
      await control.script(match, fault);
    },
    async netCapturedCents(transactionId) {
      const { totals } = await control.ledger(transactionId);
      return totals.captured - totals.refunded;
    },
    async pay(transactionId, amountCents) {
      await control.pay(transactionId, amountCents);
    },
    dispute: (transactionId) => control.sendCallbacks(transactionId, { kind: 'chargeback' }),
    async receivedInitiations(transactionId) {
      const requests = await control.requests(transactionId);
      return requests.flatMap(({ initiation }) => initiation ?? []);
    },
    async receivedPurchases(transactionId) {
      const requests = await control.requests(transactionId);
      return requests.flatMap(({ purchase }) => purchase ?? []);
    },
    async requestCount(transactionId) {
      return (await control.requests(transactionId)).length;
    },
    pending: {
      async leave(transactionId, operation, then, fault) {
        const match = { transaction_id: transactionId, operation: scriptedOperation.parse(operation) };
        await control.script(match, { pending_then: then, ...fault });
      },
      async finish(transactionId, operation) {
        await control.finishOperation(transactionId, { operation });
      },
    },
  } satisfies Partial<GatewayUnderTest>;
}
