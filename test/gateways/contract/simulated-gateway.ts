import { scriptedOperation } from '../../../src/simulator/scripts';
import type { SimulatorControl } from '../../support/stack/simulator';
import type { GatewayUnderTest } from './gateway-under-test';

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
