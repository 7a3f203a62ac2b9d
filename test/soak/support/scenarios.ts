import { DateTime } from 'luxon';
import { BRASILIA } from '../../../src/domain/time/timezone';
import type { Ending, Purchase } from './purchase';

/** What one customer of a month does, and what must come of it. */
export interface Story {
  readonly name: string;
  /** How often it happens in a month. */
  readonly times: number;
  /** Throws a StoryError where it does not go as it must. */
  readonly play: (purchase: Purchase) => Promise<void>;
}

const INSUFFICIENT_FUNDS = '4000000000009995';
const LOST_CARD = '4000000000009987';
/** Pix that runs out within the hour: its last look is 5 minutes after that. */
const SHORT_PIX = { expiresInSeconds: 900 };
const SHORT_PIX_OVER_HOURS = 0.4;
const CAPTURE_WINDOW_HOURS = 7 * 24;
/** Three business days beyond a due date of tomorrow, with a weekend and two holidays in between. */
const BILLET_OVER_HOURS = 9 * 24;

const tomorrow = (): string => DateTime.now().setZone(BRASILIA).plus({ days: 1 }).toISODate() ?? '';

const authorizes = (purchase: Purchase, splits?: readonly object[]): Promise<boolean> =>
  purchase.paysByCard({ capture: false, ...(splits && { splits }) });

/** As the money stands: taken whole, and so much of it given back. */
const taken = ({ amount }: Purchase, refunded = 0): Ending => ({
  status: refunded === amount ? 'refunded' : 'approved',
  captured_amount: amount,
  refunded_amount: refunded,
});

const CARD: readonly Story[] = [
  {
    name: 'pays by card',
    times: 40,
    play: async (purchase) => {
      if (await purchase.paysByCard()) await purchase.is(taken(purchase));
    },
  },
  {
    name: 'has a card without funds, or a lost one',
    times: 10,
    play: async (purchase) => {
      const number = purchase.amount % 2 === 0 ? INSUFFICIENT_FUNDS : LOST_CARD;
      const paid = await purchase.paysByCard({ number });
      purchase.must(!paid, 'the card was taken');
      await purchase.is({ status: 'failed', captured_amount: 0 });
    },
  },
  {
    name: 'pays with a saved card',
    times: 12,
    play: async (purchase) => {
      if (await purchase.paysByCard({ saved: true })) await purchase.is(taken(purchase));
    },
  },
  {
    name: 'has the card saved',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.paysByCard({ save: true }))) return;
      const { card } = await purchase.now();
      purchase.must(typeof card?.token === 'string', 'the card has no token');
    },
  },
  {
    name: 'presses the button five times',
    times: 8,
    play: async (purchase) => {
      if (!(await purchase.paysByCard())) return;
      await purchase.isSentAgain(4);
      await purchase.is(taken(purchase));
    },
  },
  {
    name: 'sends everything back',
    times: 12,
    play: async (purchase) => {
      if (!(await purchase.paysByCard())) return;
      const refunded = await purchase.refund();
      await purchase.is(taken(purchase, refunded ? purchase.amount : 0));
    },
  },
  {
    name: 'sends it back in parts',
    times: 12,
    play: async (purchase) => {
      if (!(await purchase.paysByCard())) return;
      const part = Math.floor(purchase.part / 2);
      let refunded = 0;
      if (await purchase.refund(part)) refunded += part;
      if (await purchase.refund(part)) refunded += part;
      await purchase.is(taken(purchase, refunded));
      if (await purchase.refund()) refunded = purchase.amount;
      await purchase.is(taken(purchase, refunded));
    },
  },
  {
    name: 'wants back more than was paid',
    times: 4,
    play: async (purchase) => {
      if (!(await purchase.paysByCard())) return;
      await purchase.isRefused('refundPayment', 'validation_error', { amount: purchase.amount + 1 });
      await purchase.is(taken(purchase));
    },
  },
  {
    name: 'wants two refunds at once that are too much together',
    times: 4,
    play: async (purchase) => {
      if (!(await purchase.paysByCard())) return;
      const amount = purchase.amount - 1;
      const results = await purchase.atOnce(['refundPayment', { amount }], ['refundPayment', { amount }]);
      const done = results.filter(({ status }) => status === 200).length;
      purchase.must(done <= 1, 'both were carried out');
      await purchase.is(taken(purchase, done * amount));
    },
  },
];

const AUTHORIZATION: readonly Story[] = [
  {
    name: 'reserves, and is charged when it is sent',
    times: 12,
    play: async (purchase) => {
      if (!(await authorizes(purchase))) return;
      const captured = await purchase.capture();
      await purchase.is(captured ? taken(purchase) : { status: 'authorized', captured_amount: 0 });
    },
  },
  {
    name: 'reserves, and is charged for a part',
    times: 12,
    play: async (purchase) => {
      if (!(await authorizes(purchase))) return;
      if (!(await purchase.capture(purchase.part))) return;
      await purchase.is({ status: 'approved', captured_amount: purchase.part });
      if (await purchase.refund()) await purchase.is({ status: 'refunded', refunded_amount: purchase.part });
    },
  },
  {
    name: 'reserves, and changes their mind',
    times: 8,
    play: async (purchase) => {
      if (!(await authorizes(purchase))) return;
      const canceled = await purchase.cancel();
      await purchase.is({ status: canceled ? 'canceled' : 'authorized', captured_amount: 0 });
    },
  },
  {
    name: 'reserves, and nobody comes back to it',
    times: 6,
    play: async (purchase) => {
      if (!(await authorizes(purchase))) return;
      await purchase.hoursPass(CAPTURE_WINDOW_HOURS + 1);
      await purchase.becomes({ status: 'canceled', captured_amount: 0 });
    },
  },
  {
    name: 'reserves; one clerk captures while another cancels',
    times: 6,
    play: async (purchase) => {
      if (!(await authorizes(purchase))) return;
      const [captured, canceled] = await purchase.atOnce(['capturePayment', {}], ['cancelPayment']);
      const done = [captured, canceled].filter((result) => result?.status === 200);
      purchase.must(done.length <= 1, 'both were carried out');
      if (captured?.status === 200) await purchase.is(taken(purchase));
      else if (canceled?.status === 200) await purchase.is({ status: 'canceled', captured_amount: 0 });
    },
  },
];

const SHARED: readonly Story[] = [
  {
    name: 'pays for the bouquet, the courier and the gardener',
    times: 12,
    play: async (purchase) => {
      if (!(await purchase.paysByCard({ splits: purchase.sharedByPercent() }))) return;
      await purchase.is(taken(purchase));
      const refunded = (await purchase.refund(purchase.part)) ? purchase.part : 0;
      await purchase.is(taken(purchase, refunded));
    },
  },
  {
    name: 'pays two at fixed prices, and sends all of it back',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.paysByCard({ splits: purchase.sharedFlat() }))) return;
      await purchase.isRefused('refundPayment', 'validation_error', { amount: purchase.part });
      const refunded = await purchase.refund();
      await purchase.is(taken(purchase, refunded ? purchase.amount : 0));
    },
  },
  {
    name: 'reserves for three, and is charged for a part',
    times: 8,
    play: async (purchase) => {
      if (!(await authorizes(purchase, purchase.sharedByPercent({ authorize: true })))) return;
      const captured = await purchase.capture(purchase.part);
      await purchase.is({
        status: captured ? 'approved' : 'authorized',
        captured_amount: captured ? purchase.part : 0,
      });
    },
  },
  {
    name: 'pays three by pix',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.asksForPix({ splits: purchase.sharedByPercent() }))) return;
      await purchase.customerPays();
      await purchase.becomes(taken(purchase));
    },
  },
];

const PIX: readonly Story[] = [
  {
    name: 'pays by pix',
    times: 30,
    play: async (purchase) => {
      if (!(await purchase.asksForPix())) return;
      await purchase.customerPays();
      await purchase.becomes({ ...taken(purchase), paid_amount: purchase.amount });
    },
  },
  {
    name: 'pays by pix, and the gateway never calls',
    times: 6,
    play: async (purchase) => {
      await purchase.gatewayStaysSilent();
      if (!(await purchase.asksForPix())) return;
      await purchase.customerPays();
      await purchase.hoursPass(1.5);
      await purchase.becomes(taken(purchase));
    },
  },
  {
    name: 'pays by pix, and the gateway calls again and again, as does a swindler',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.asksForPix())) return;
      await purchase.gatewayCalls({ forge: true });
      await purchase.customerPays();
      await purchase.gatewayCalls({ times: 3 });
      await purchase.becomes({ ...taken(purchase), paid_amount: purchase.amount });
    },
  },
  {
    name: 'pays the pix too late',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.asksForPix(SHORT_PIX))) return;
      await purchase.hoursPass(SHORT_PIX_OVER_HOURS);
      await purchase.becomes({ status: 'failed', code: 'expired' });
      await purchase.customerPays();
      await purchase.becomes({ ...taken(purchase), code: null });
    },
  },
  {
    name: 'pays the pix twice',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.asksForPix())) return;
      await purchase.customerPays();
      await purchase.customerPays(2 * purchase.amount);
      await purchase.becomes({ ...taken(purchase), paid_amount: 2 * purchase.amount });
    },
  },
  {
    name: 'pays the pix in two parts',
    times: 5,
    play: async (purchase) => {
      if (!(await purchase.asksForPix())) return;
      await purchase.customerPays(purchase.part);
      await purchase.becomes({ status: 'pending', message: 'underpaid', paid_amount: purchase.part });
      await purchase.isRefused('cancelPayment', 'invalid_state');
      await purchase.customerPays();
      await purchase.becomes(taken(purchase));
    },
  },
  {
    name: 'pays a part of the pix, and never the rest',
    times: 3,
    play: async (purchase) => {
      if (!(await purchase.asksForPix(SHORT_PIX))) return;
      await purchase.customerPays(purchase.part);
      await purchase.becomes({ message: 'underpaid' });
      await purchase.hoursPass(SHORT_PIX_OVER_HOURS);
      await purchase.is({ status: 'pending', captured_amount: 0, paid_amount: purchase.part });
    },
  },
  {
    name: 'never pays the pix',
    times: 8,
    play: async (purchase) => {
      if (!(await purchase.asksForPix(SHORT_PIX))) return;
      await purchase.hoursPass(SHORT_PIX_OVER_HOURS);
      await purchase.becomes({ status: 'failed', code: 'expired', captured_amount: 0 });
    },
  },
  {
    name: 'does not want the pix any more',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.asksForPix())) return;
      const canceled = await purchase.cancel();
      await purchase.is({ status: canceled ? 'canceled' : 'pending' });
    },
  },
  {
    name: 'pays the pix that was canceled',
    times: 4,
    play: async (purchase) => {
      if (!(await purchase.asksForPix()) || !(await purchase.cancel())) return;
      await purchase.customerPays();
      await purchase.becomes(taken(purchase));
    },
  },
  {
    name: 'pays by pix, and sends it back in parts',
    times: 8,
    play: async (purchase) => {
      if (!(await purchase.asksForPix())) return;
      await purchase.customerPays();
      await purchase.becomes(taken(purchase));
      let refunded = (await purchase.refund(purchase.part)) ? purchase.part : 0;
      if (await purchase.refund()) refunded = purchase.amount;
      await purchase.is(taken(purchase, refunded));
    },
  },
];

const BILLET: readonly Story[] = [
  {
    name: 'pays by billet',
    times: 12,
    play: async (purchase) => {
      if (!(await purchase.asksForBillet())) return;
      await purchase.customerPays();
      await purchase.becomes({ ...taken(purchase), paid_amount: purchase.amount });
    },
  },
  {
    name: 'lets the billet expire',
    times: 6,
    play: async (purchase) => {
      if (!(await purchase.asksForBillet({ dueAt: tomorrow() }))) return;
      await purchase.hoursPass(BILLET_OVER_HOURS);
      await purchase.becomes({ status: 'failed', code: 'expired', captured_amount: 0 });
    },
  },
  {
    name: 'has a billet that is still open when the month is over',
    times: 5,
    play: async (purchase) => {
      if (await purchase.asksForBillet()) await purchase.is({ status: 'pending', captured_amount: 0 });
    },
  },
  {
    name: 'pays by billet, and gets it back on a bank account',
    times: 5,
    play: async (purchase) => {
      if (!(await purchase.asksForBillet())) return;
      await purchase.customerPays();
      await purchase.becomes(taken(purchase));
      await purchase.isRefused('refundPayment', 'validation_error', {});
      const refunded = await purchase.refundToBankAccount();
      await purchase.is(taken(purchase, refunded ? purchase.amount : 0));
    },
  },
];

/** Everything that happens in a month. */
export const STORIES: readonly Story[] = [...CARD, ...AUTHORIZATION, ...SHARED, ...PIX, ...BILLET];
