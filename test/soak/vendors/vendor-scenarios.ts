import type { Capabilities } from '../../../src/domain/routing/routing';
import type { PurchaseScenario } from '../support/purchase-scenarios';
import type { SoakPurchase } from '../support/soak-purchase';

/** A purchase at any gateway that can do what it needs. Only the records at the end say whether its outcome is right. */
export interface VendorScenario extends PurchaseScenario {
  readonly needs: (capabilities: Capabilities) => boolean;
}

const INSUFFICIENT_FUNDS = '4000000000009995';

const takesCards = ({ methods }: Capabilities): boolean => methods.includes('card');
const takesPix = ({ methods }: Capabilities): boolean => methods.includes('pix');
const authorizes = (capabilities: Capabilities): boolean =>
  takesCards(capabilities) && capabilities.authorizeOnly;
const answersInquiries = ({ truth = 'inquiry' }: Capabilities): boolean => truth === 'inquiry';

const CARD: readonly VendorScenario[] = [
  {
    name: 'card payment, sent five times',
    count: 6,
    needs: takesCards,
    run: async (purchase) => {
      await purchase.payByCard();
      await purchase.expectSameResultWhenResent(4);
    },
  },
  {
    name: 'card payment with a saved card',
    count: 2,
    needs: takesCards,
    run: (purchase) => ignoring(purchase.payByCard({ saved: true })),
  },
  {
    name: 'card without funds',
    count: 1,
    needs: takesCards,
    run: async (purchase) => {
      const paid = await purchase.payByCard({ number: INSUFFICIENT_FUNDS });
      purchase.assert(!paid, 'the card was accepted');
    },
  },
  {
    name: 'card payment, refunded',
    count: 3,
    needs: ({ refundMethods }) => refundMethods.includes('card'),
    run: async (purchase) => {
      if (await purchase.payByCard()) await purchase.refund();
    },
  },
  {
    name: 'card payment, refunded in two parts',
    count: 2,
    needs: ({ refundMethods, partialRefund }) => refundMethods.includes('card') && partialRefund,
    run: async (purchase) => {
      if ((await purchase.payByCard()) && (await purchase.refund(purchase.partialAmount)))
        await purchase.refund();
    },
  },
  {
    name: 'authorization, captured',
    count: 2,
    needs: authorizes,
    run: async (purchase) => {
      if (await authorize(purchase)) await purchase.capture();
    },
  },
  {
    name: 'authorization, captured in part and refunded',
    count: 2,
    needs: (capabilities) => authorizes(capabilities) && capabilities.partialCapture,
    run: async (purchase) => {
      if ((await authorize(purchase)) && (await purchase.capture(purchase.partialAmount)))
        await purchase.refund();
    },
  },
  {
    name: 'authorization, canceled',
    count: 2,
    needs: authorizes,
    run: async (purchase) => {
      if (await authorize(purchase)) await purchase.cancel();
    },
  },
];

const PAID_LATER: readonly VendorScenario[] = [
  {
    name: 'pix, paid',
    count: 4,
    needs: takesPix,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.waitForState({ status: 'approved', paid_amount: purchase.amount });
    },
  },
  {
    name: 'pix, paid, with repeated and forged callbacks',
    count: 1,
    needs: takesPix,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.sendCallbacks({ forge: true });
      await purchase.payAtGateway();
      await purchase.sendCallbacks({ times: 3 });
      await purchase.waitForState({ status: 'approved', paid_amount: purchase.amount });
    },
  },
  {
    name: 'pix, paid, without callbacks',
    count: 1,
    needs: (capabilities) => takesPix(capabilities) && answersInquiries(capabilities),
    run: async (purchase) => {
      await purchase.suppressCallbacks();
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.advanceClock(1.5);
      await purchase.waitForState({ status: 'approved' });
    },
  },
  {
    name: 'pix, paid and refunded',
    count: 2,
    needs: ({ refundMethods }) => refundMethods.includes('pix'),
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.waitForState({ status: 'approved' });
      await purchase.refund();
    },
  },
  {
    name: 'pix, canceled',
    count: 1,
    needs: takesPix,
    run: async (purchase) => {
      if (await purchase.createPix()) await purchase.cancel();
    },
  },
  {
    name: 'boleto, paid',
    count: 2,
    needs: ({ methods }) => methods.includes('billet'),
    run: async (purchase) => {
      if (!(await purchase.createBillet())) return;
      await purchase.payAtGateway();
      await purchase.waitForState({ status: 'approved', paid_amount: purchase.amount });
    },
  },
  {
    name: 'boleto, not paid',
    count: 1,
    needs: ({ methods }) => methods.includes('billet'),
    run: (purchase) => ignoring(purchase.createBillet()),
  },
];

export const VENDOR_SCENARIOS: readonly VendorScenario[] = [...CARD, ...PAID_LATER];

function authorize(purchase: SoakPurchase): Promise<boolean> {
  return purchase.payByCard({ capture: false });
}

async function ignoring(result: Promise<boolean>): Promise<void> {
  await result;
}
