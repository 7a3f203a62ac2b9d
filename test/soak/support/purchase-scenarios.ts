import { DateTime } from 'luxon';
import { BRASILIA } from '../../../src/domain/time/timezone';
import type { ExpectedState, SoakPurchase } from './soak-purchase';

/** One kind of purchase, and its expected outcome. */
export interface PurchaseScenario {
  readonly name: string;
  /** How many of these purchases a month has. */
  readonly count: number;
  /** Throws a ScenarioError if the outcome is not the expected one. */
  readonly run: (purchase: SoakPurchase) => Promise<void>;
}

const INSUFFICIENT_FUNDS = '4000000000009995';
const LOST_CARD = '4000000000009987';
/** Expires after 15 minutes; its last status poll is 5 minutes later. */
const SHORT_PIX = { expiresInSeconds: 900 };
const SHORT_PIX_EXPIRED_AFTER_HOURS = 0.4;
const CAPTURE_WINDOW_HOURS = 7 * 24;
/** Three business days after a due date of tomorrow, with a weekend and two holidays in between. */
const BILLET_EXPIRED_AFTER_HOURS = 9 * 24;

const tomorrow = (): string => DateTime.now().setZone(BRASILIA).plus({ days: 1 }).toISODate() ?? '';

const authorize = (purchase: SoakPurchase, splits?: readonly object[]): Promise<boolean> =>
  purchase.payByCard({ capture: false, ...(splits && { splits }) });

/** The whole amount is captured, and this much of it refunded. */
const capturedState = ({ amount }: SoakPurchase, refunded = 0): ExpectedState => ({
  status: refunded === amount ? 'refunded' : 'approved',
  captured_amount: amount,
  refunded_amount: refunded,
});

const CARD: readonly PurchaseScenario[] = [
  {
    name: 'card payment',
    count: 40,
    run: async (purchase) => {
      if (await purchase.payByCard()) await purchase.expectState(capturedState(purchase));
    },
  },
  {
    name: 'card without funds, or lost card',
    count: 10,
    run: async (purchase) => {
      const number = purchase.amount % 2 === 0 ? INSUFFICIENT_FUNDS : LOST_CARD;
      const paid = await purchase.payByCard({ number });
      purchase.assert(!paid, 'the card was accepted');
      await purchase.expectState({ status: 'failed', captured_amount: 0 });
    },
  },
  {
    name: 'payment with a saved card',
    count: 12,
    run: async (purchase) => {
      if (await purchase.payByCard({ saved: true })) await purchase.expectState(capturedState(purchase));
    },
  },
  {
    name: 'payment that saves the card',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.payByCard({ save: true }))) return;
      const { card } = await purchase.current();
      purchase.assert(typeof card?.token === 'string', 'the card has no token');
    },
  },
  {
    name: 'payment request sent five times',
    count: 8,
    run: async (purchase) => {
      if (!(await purchase.payByCard())) return;
      await purchase.expectSameResultWhenResent(4);
      await purchase.expectState(capturedState(purchase));
    },
  },
  {
    name: 'full refund',
    count: 12,
    run: async (purchase) => {
      if (!(await purchase.payByCard())) return;
      const refunded = await purchase.refund();
      await purchase.expectState(capturedState(purchase, refunded ? purchase.amount : 0));
    },
  },
  {
    name: 'partial refunds',
    count: 12,
    run: async (purchase) => {
      if (!(await purchase.payByCard())) return;
      const part = Math.floor(purchase.partialAmount / 2);
      let refunded = 0;
      if (await purchase.refund(part)) refunded += part;
      if (await purchase.refund(part)) refunded += part;
      await purchase.expectState(capturedState(purchase, refunded));
      if (await purchase.refund()) refunded = purchase.amount;
      await purchase.expectState(capturedState(purchase, refunded));
    },
  },
  {
    name: 'refund of more than was captured',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.payByCard())) return;
      await purchase.expectRejected('refundPayment', 'validation_error', { amount: purchase.amount + 1 });
      await purchase.expectState(capturedState(purchase));
    },
  },
  {
    name: 'two concurrent refunds of too much in total',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.payByCard())) return;
      const amount = purchase.amount - 1;
      const results = await purchase.operateConcurrently(
        ['refundPayment', { amount }],
        ['refundPayment', { amount }],
      );
      const done = results.filter(({ status }) => status === 200).length;
      purchase.assert(done <= 1, 'both were executed');
      await purchase.expectState(capturedState(purchase, done * amount));
    },
  },
];

const AUTHORIZATION: readonly PurchaseScenario[] = [
  {
    name: 'authorization, captured',
    count: 12,
    run: async (purchase) => {
      if (!(await authorize(purchase))) return;
      const captured = await purchase.capture();
      await purchase.expectState(
        captured ? capturedState(purchase) : { status: 'authorized', captured_amount: 0 },
      );
    },
  },
  {
    name: 'authorization, captured in part',
    count: 12,
    run: async (purchase) => {
      if (!(await authorize(purchase))) return;
      if (!(await purchase.capture(purchase.partialAmount))) return;
      await purchase.expectState({ status: 'approved', captured_amount: purchase.partialAmount });
      if (await purchase.refund())
        await purchase.expectState({ status: 'refunded', refunded_amount: purchase.partialAmount });
    },
  },
  {
    name: 'authorization, canceled',
    count: 8,
    run: async (purchase) => {
      if (!(await authorize(purchase))) return;
      const canceled = await purchase.cancel();
      await purchase.expectState({ status: canceled ? 'canceled' : 'authorized', captured_amount: 0 });
    },
  },
  {
    name: 'authorization, expired',
    count: 6,
    run: async (purchase) => {
      if (!(await authorize(purchase))) return;
      await purchase.advanceClock(CAPTURE_WINDOW_HOURS + 1);
      await purchase.waitForState({ status: 'canceled', captured_amount: 0 });
    },
  },
  {
    name: 'authorization, concurrent capture and cancel',
    count: 6,
    run: async (purchase) => {
      if (!(await authorize(purchase))) return;
      const [captured, canceled] = await purchase.operateConcurrently(
        ['capturePayment', {}],
        ['cancelPayment'],
      );
      const done = [captured, canceled].filter((result) => result?.status === 200);
      purchase.assert(done.length <= 1, 'both were executed');
      if (captured?.status === 200) await purchase.expectState(capturedState(purchase));
      else if (canceled?.status === 200)
        await purchase.expectState({ status: 'canceled', captured_amount: 0 });
    },
  },
];

const SPLIT: readonly PurchaseScenario[] = [
  {
    name: 'payment with percentage splits, partial refund',
    count: 12,
    run: async (purchase) => {
      if (!(await purchase.payByCard({ splits: purchase.percentageSplits() }))) return;
      await purchase.expectState(capturedState(purchase));
      const refunded = (await purchase.refund(purchase.partialAmount)) ? purchase.partialAmount : 0;
      await purchase.expectState(capturedState(purchase, refunded));
    },
  },
  {
    name: 'payment with flat splits, full refund',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.payByCard({ splits: purchase.flatSplits() }))) return;
      await purchase.expectRejected('refundPayment', 'validation_error', { amount: purchase.partialAmount });
      const refunded = await purchase.refund();
      await purchase.expectState(capturedState(purchase, refunded ? purchase.amount : 0));
    },
  },
  {
    name: 'authorization with splits, captured in part',
    count: 8,
    run: async (purchase) => {
      if (!(await authorize(purchase, purchase.percentageSplits({ authorize: true })))) return;
      const captured = await purchase.capture(purchase.partialAmount);
      await purchase.expectState({
        status: captured ? 'approved' : 'authorized',
        captured_amount: captured ? purchase.partialAmount : 0,
      });
    },
  },
  {
    name: 'pix with splits',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.createPix({ splits: purchase.percentageSplits() }))) return;
      await purchase.payAtGateway();
      await purchase.waitForState(capturedState(purchase));
    },
  },
];

const PIX: readonly PurchaseScenario[] = [
  {
    name: 'pix',
    count: 30,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.waitForState({ ...capturedState(purchase), paid_amount: purchase.amount });
    },
  },
  {
    name: 'pix without callbacks',
    count: 6,
    run: async (purchase) => {
      await purchase.suppressCallbacks();
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.advanceClock(1.5);
      await purchase.waitForState(capturedState(purchase));
    },
  },
  {
    name: 'pix with repeated and forged callbacks',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.sendCallbacks({ forge: true });
      await purchase.payAtGateway();
      await purchase.sendCallbacks({ times: 3 });
      await purchase.waitForState({ ...capturedState(purchase), paid_amount: purchase.amount });
    },
  },
  {
    name: 'pix paid after it expired',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.createPix(SHORT_PIX))) return;
      await purchase.advanceClock(SHORT_PIX_EXPIRED_AFTER_HOURS);
      await purchase.waitForState({ status: 'failed', code: 'expired' });
      await purchase.payAtGateway();
      await purchase.waitForState({ ...capturedState(purchase), code: null });
    },
  },
  {
    name: 'pix paid twice',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.payAtGateway(2 * purchase.amount);
      await purchase.waitForState({ ...capturedState(purchase), paid_amount: 2 * purchase.amount });
    },
  },
  {
    name: 'pix paid in two parts',
    count: 5,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway(purchase.partialAmount);
      await purchase.waitForState({
        status: 'pending',
        message: 'underpaid',
        paid_amount: purchase.partialAmount,
      });
      await purchase.expectRejected('cancelPayment', 'invalid_state');
      await purchase.payAtGateway();
      await purchase.waitForState(capturedState(purchase));
    },
  },
  {
    name: 'pix paid in part',
    count: 3,
    run: async (purchase) => {
      if (!(await purchase.createPix(SHORT_PIX))) return;
      await purchase.payAtGateway(purchase.partialAmount);
      await purchase.waitForState({ message: 'underpaid' });
      await purchase.advanceClock(SHORT_PIX_EXPIRED_AFTER_HOURS);
      await purchase.expectState({
        status: 'pending',
        captured_amount: 0,
        paid_amount: purchase.partialAmount,
      });
    },
  },
  {
    name: 'pix never paid',
    count: 8,
    run: async (purchase) => {
      if (!(await purchase.createPix(SHORT_PIX))) return;
      await purchase.advanceClock(SHORT_PIX_EXPIRED_AFTER_HOURS);
      await purchase.waitForState({ status: 'failed', code: 'expired', captured_amount: 0 });
    },
  },
  {
    name: 'pix canceled',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      const canceled = await purchase.cancel();
      await purchase.expectState({ status: canceled ? 'canceled' : 'pending' });
    },
  },
  {
    name: 'pix paid after it was canceled',
    count: 4,
    run: async (purchase) => {
      if (!(await purchase.createPix()) || !(await purchase.cancel())) return;
      await purchase.payAtGateway();
      await purchase.waitForState(capturedState(purchase));
    },
  },
  {
    name: 'pix, partial refunds',
    count: 8,
    run: async (purchase) => {
      if (!(await purchase.createPix())) return;
      await purchase.payAtGateway();
      await purchase.waitForState(capturedState(purchase));
      let refunded = (await purchase.refund(purchase.partialAmount)) ? purchase.partialAmount : 0;
      if (await purchase.refund()) refunded = purchase.amount;
      await purchase.expectState(capturedState(purchase, refunded));
    },
  },
];

const BILLET: readonly PurchaseScenario[] = [
  {
    name: 'billet',
    count: 12,
    run: async (purchase) => {
      if (!(await purchase.createBillet())) return;
      await purchase.payAtGateway();
      await purchase.waitForState({ ...capturedState(purchase), paid_amount: purchase.amount });
    },
  },
  {
    name: 'billet expired',
    count: 6,
    run: async (purchase) => {
      if (!(await purchase.createBillet({ dueAt: tomorrow() }))) return;
      await purchase.advanceClock(BILLET_EXPIRED_AFTER_HOURS);
      await purchase.waitForState({ status: 'failed', code: 'expired', captured_amount: 0 });
    },
  },
  {
    name: 'billet still pending',
    count: 5,
    run: async (purchase) => {
      if (await purchase.createBillet())
        await purchase.expectState({ status: 'pending', captured_amount: 0 });
    },
  },
  {
    name: 'billet refunded to a bank account',
    count: 5,
    run: async (purchase) => {
      if (!(await purchase.createBillet())) return;
      await purchase.payAtGateway();
      await purchase.waitForState(capturedState(purchase));
      await purchase.expectRejected('refundPayment', 'validation_error', {});
      const refunded = await purchase.refundToBankAccount();
      await purchase.expectState(capturedState(purchase, refunded ? purchase.amount : 0));
    },
  },
];

/** The scenarios of a month in which this service makes every request. */
export const PURCHASE_SCENARIOS: readonly PurchaseScenario[] = [
  ...CARD,
  ...AUTHORIZATION,
  ...SPLIT,
  ...PIX,
  ...BILLET,
];
