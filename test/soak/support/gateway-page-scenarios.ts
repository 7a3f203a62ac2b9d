import type { PurchaseScenario } from './purchase-scenarios';

/** Expires after 15 minutes; its last status poll is 5 minutes later. */
const SHORT_PIX = { expiresInSeconds: 900 };
const SHORT_PIX_EXPIRED_AFTER_HOURS = 0.4;

/** What happens at the gateway after this service has finished with a payment, and without a request of this service. */
export const GATEWAY_PAGE_SCENARIOS: readonly PurchaseScenario[] = [
  {
    name: 'refund on the gateway’s own pages',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.payByCard())) return;
      const part = purchase.partialAmount;
      await purchase.refundAtGateway(part);
      await purchase.waitForState({ status: 'approved', refunded_amount: part });
      const refunded = (await purchase.refund()) ? purchase.amount : part;
      await purchase.expectState({ captured_amount: purchase.amount, refunded_amount: refunded });
    },
  },
  {
    name: 'refund of a paid pix on the gateway’s own pages',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.waitForState({ status: 'approved' });
      await purchase.refundAtGateway(purchase.amount);
      await purchase.waitForState({ status: 'refunded', refunded_amount: purchase.amount });
    },
  },
  {
    name: 'part of a pix paid after it expired, refunded',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.createPix(SHORT_PIX))) return;
      await purchase.advanceClock(SHORT_PIX_EXPIRED_AFTER_HOURS);
      await purchase.waitForState({ status: 'failed', code: 'expired' });
      const part = purchase.partialAmount;
      await purchase.payAtGateway(part);
      const underpaid = { status: 'failed', paid_amount: part, captured_amount: 0 } as const;
      await purchase.waitForState({ ...underpaid, message: 'underpaid' });
      const refunded = (await purchase.refund()) ? part : 0;
      await purchase.expectState({ ...underpaid, refunded_amount: refunded });
    },
  },
];
