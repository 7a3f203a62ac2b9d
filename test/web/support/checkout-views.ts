import type { Page } from 'playwright-core';
import { newLink, type PaymentLinkBody } from '../../api/checkout/checkout-buyer';
import { APPROVED_CARD } from '../../support/fixtures/payments';
import type { PageView, ViewContext } from './views';
import {
  INSUFFICIENT_FUNDS_CARD,
  enterCard,
  enterDetails,
  generatePix,
  waitForDeclined,
  waitForPaid,
  createPlanLink,
  checkoutUrl,
  payByCard,
} from './checkout-page';

const WORKSHOP = {
  name: 'Ceramics workshop',
  amount: 18_000,
  description: 'Saturday, 9 to 12. Clay, glaze and firing included.',
};
const CLASSES = { name: 'Monthly classes', description: 'Four evenings a month, and the studio on Sundays.' };

async function openCheckout(page: Page, { api }: ViewContext, link: PaymentLinkBody): Promise<void> {
  await page.goto(checkoutUrl(api, link));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Opens the workshop's page and enters the buyer's details. */
async function openPayForm(page: Page, context: ViewContext): Promise<void> {
  await openCheckout(page, context, await newLink(context.company.byKey, WORKSHOP));
  await enterDetails(page);
}

/** Steps of a purchase, and a page where nothing can be bought. */
export const checkoutViews: readonly PageView[] = [
  {
    name: 'checkout-details',
    open: async (page, context) =>
      openCheckout(page, context, await newLink(context.company.byKey, WORKSHOP)),
  },
  {
    name: 'checkout-card',
    open: async (page, context) => {
      await openPayForm(page, context);
      await enterCard(page, APPROVED_CARD);
    },
  },
  {
    name: 'checkout-declined',
    open: async (page, context) => {
      await openPayForm(page, context);
      await payByCard(page, INSUFFICIENT_FUNDS_CARD);
      await waitForDeclined(page);
    },
  },
  {
    name: 'checkout-pix',
    open: async (page, context) => {
      await openPayForm(page, context);
      await generatePix(page);
    },
  },
  {
    name: 'checkout-paid',
    open: async (page, context) => {
      await openPayForm(page, context);
      await payByCard(page, APPROVED_CARD);
      await waitForPaid(page);
    },
  },
  {
    name: 'checkout-subscription',
    open: async (page, context) => {
      const plan = { name: 'Gold', amount: 9_990, trial_period_days: 7 };
      await openCheckout(page, context, await createPlanLink(context.company, plan, CLASSES));
      await enterDetails(page, { coupon: context.coupon });
    },
  },
  {
    name: 'checkout-expired',
    open: async (page, context) => {
      const link = await newLink(context.company.byKey, WORKSHOP);
      await context.api.engine.context.db.execute(
        `UPDATE payment_links SET expires_at = now() - interval '1 second' WHERE token = $1`,
        [link.token],
      );
      await openCheckout(page, context, link);
    },
  },
];
