import type { PurchaseScenario } from '../purchase-scenarios';
import type { SoakPurchase } from '../soak-purchase';
import { SoakDispute } from './soak-dispute';

/** Long enough that the reminder, halfway, comes after the opening also when a process is killed meanwhile. */
const EVIDENCE_DUE_SECONDS = { withFaults: 40, without: 8 };

/** A paid card purchase, and what it is disputed for; without a payment nothing happens. */
const disputed = async (
  purchase: SoakPurchase,
  options: Parameters<typeof SoakDispute.open>[1],
  then: (dispute: SoakDispute) => Promise<void>,
): Promise<void> => {
  if (await purchase.payByCard()) await then(await SoakDispute.open(purchase, options));
};

/** What customers and their banks take back, and what the company does about it. */
export const DISPUTE_SCENARIOS: readonly PurchaseScenario[] = [
  {
    name: 'chargeback, lost; refund refused',
    count: 4,
    run: (purchase) =>
      disputed(purchase, {}, async (dispute) => {
        await purchase.expectRejected('refundPayment', 'payment_disputed');
        await dispute.decide({ status: 'lost' });
        await purchase.expectRejected('refundPayment', 'payment_disputed', { amount: 1 });
        await purchase.expectState({ status: 'approved', refunded_amount: 0 });
      }),
  },
  {
    name: 'chargeback, won by evidence, then refunded',
    count: 4,
    run: (purchase) =>
      disputed(purchase, {}, async (dispute) => {
        await dispute.submitEvidence();
        await dispute.decide({ status: 'won' });
        const refunded = await purchase.refund();
        await purchase.expectState({
          status: refunded ? 'refunded' : 'approved',
          refunded_amount: refunded ? purchase.amount : 0,
        });
      }),
  },
  {
    name: 'chargeback of a part, of which a part is returned',
    count: 4,
    run: (purchase) =>
      disputed(purchase, { amount: purchase.partialAmount }, async (dispute) => {
        const rest = purchase.amount - dispute.amount;
        await purchase.expectRejected('refundPayment', 'payment_disputed', { amount: rest + 1 });
        const returned = Math.ceil(dispute.amount / 2);
        await dispute.decide({ status: 'won', returned });
        const refunded = (await purchase.refund()) ? rest + returned : 0;
        await purchase.expectState({ status: 'approved', refunded_amount: refunded });
      }),
  },
  {
    name: 'chargeback, won, reopened and lost',
    count: 4,
    run: (purchase) =>
      disputed(purchase, {}, async (dispute) => {
        await dispute.decide({ status: 'won' });
        await dispute.decide({ status: 'reopened' });
        await purchase.expectRejected('refundPayment', 'payment_disputed');
        await dispute.decide({ status: 'lost' });
      }),
  },
  {
    name: 'chargeback, lost, reopened and returned in part',
    count: 3,
    run: (purchase) =>
      disputed(purchase, {}, async (dispute) => {
        await dispute.decide({ status: 'lost' });
        await dispute.decide({ status: 'reopened' });
        await dispute.submitEvidence();
        await dispute.decide({ status: 'won', returned: purchase.partialAmount });
      }),
  },
  {
    name: 'chargeback, accepted',
    count: 4,
    run: (purchase) =>
      disputed(purchase, {}, async (dispute) => {
        await dispute.accept();
        await purchase.expectRejected('refundPayment', 'payment_disputed');
      }),
  },
  {
    name: 'chargeback of a payment with splits, lost',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.payByCard({ splits: purchase.percentageSplits() }))) return;
      const dispute = await SoakDispute.open(purchase, { amount: purchase.partialAmount });
      await dispute.decide({ status: 'lost' });
    },
  },
  {
    name: 'chargeback and refund at the same time, lost',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.payByCard())) return;
      const amount = purchase.partialAmount;
      const [[refund], dispute] = await Promise.all([
        purchase.operateConcurrently(['refundPayment', { amount }]),
        SoakDispute.open(purchase),
      ]);
      const isRefunded = refund?.status === 200;
      const isRefused = refund?.status !== 200 && refund?.reason === 'payment_disputed';
      purchase.assert(isRefunded || isRefused, `the refund got ${JSON.stringify(refund)}`);
      await dispute.decide({ status: 'lost' });
      await dispute.expectLossToSettle(isRefunded ? amount : 0);
    },
  },
  {
    name: 'chargeback, reminded, still open',
    count: 2,
    run: (purchase) => {
      const { withFaults, without } = EVIDENCE_DUE_SECONDS;
      const evidenceDueInSeconds = purchase.merchant.environment.withFaults ? withFaults : without;
      return disputed(purchase, { evidenceDueInSeconds }, async (dispute) => dispute.untilReminded());
    },
  },
  {
    name: 'retrieval request, answered',
    count: 2,
    run: (purchase) =>
      disputed(purchase, { kind: 'retrieval' }, async (dispute) => {
        await dispute.decide({ status: 'submitted' });
        await dispute.decide({ status: 'won' });
      }),
  },
  {
    name: 'special return of a part of a pix, rest refunded',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.waitForState({ status: 'approved' });
      const dispute = await SoakDispute.open(purchase, { kind: 'med', amount: purchase.partialAmount });
      await dispute.decide({ status: 'lost' });
      const rest = purchase.amount - dispute.amount;
      const refunded = (await purchase.refund()) ? rest : 0;
      await purchase.expectState({ status: 'approved', refunded_amount: refunded });
    },
  },
];
