import type { Page } from 'playwright-core';
import { newLink, type Link } from '../../api/checkout/checkout-buyer';
import { APPROVED_CARD } from '../../support/fixtures/payments';
import type { Scene, SceneStage } from './scenes';
import {
  EMPTY_CARD,
  enterCard,
  enterDetails,
  getPix,
  isDeclined,
  isPaid,
  newPlanLink,
  pageOf,
  payByCard,
} from './checkout-page';

const WORKSHOP = {
  name: 'Ceramics workshop',
  amount: 18_000,
  description: 'Saturday, 9 to 12. Clay, glaze and firing included.',
};
const CLASSES = { name: 'Monthly classes', description: 'Four evenings a month, and the studio on Sundays.' };

async function visit(page: Page, { api }: SceneStage, link: Link): Promise<void> {
  await page.goto(pageOf(api, link));
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** At the workshop's page, ready to pay. */
async function atTheTill(page: Page, stage: SceneStage): Promise<void> {
  await visit(page, stage, await newLink(stage.shop.byKey, WORKSHOP));
  await enterDetails(page);
}

/** What a buyer sees on the way to a purchase, and where none is to be made. */
export const checkoutScenes: readonly Scene[] = [
  {
    name: 'checkout-details',
    reach: async (page, stage) => visit(page, stage, await newLink(stage.shop.byKey, WORKSHOP)),
  },
  {
    name: 'checkout-card',
    reach: async (page, stage) => {
      await atTheTill(page, stage);
      await enterCard(page, APPROVED_CARD);
    },
  },
  {
    name: 'checkout-declined',
    reach: async (page, stage) => {
      await atTheTill(page, stage);
      await payByCard(page, EMPTY_CARD);
      await isDeclined(page);
    },
  },
  {
    name: 'checkout-pix',
    reach: async (page, stage) => {
      await atTheTill(page, stage);
      await getPix(page);
    },
  },
  {
    name: 'checkout-paid',
    reach: async (page, stage) => {
      await atTheTill(page, stage);
      await payByCard(page, APPROVED_CARD);
      await isPaid(page);
    },
  },
  {
    name: 'checkout-subscription',
    reach: async (page, stage) => {
      const plan = { name: 'Gold', amount: 9_990, trial_period_days: 7 };
      await visit(page, stage, await newPlanLink(stage.shop, plan, CLASSES));
      await enterDetails(page, { coupon: stage.coupon });
    },
  },
  {
    name: 'checkout-expired',
    reach: async (page, stage) => {
      const link = await newLink(stage.shop.byKey, WORKSHOP);
      await stage.api.engine.parts.db.execute(
        `UPDATE payment_links SET expires_at = now() - interval '1 second' WHERE token = $1`,
        [link.token],
      );
      await visit(page, stage, link);
    },
  },
];
