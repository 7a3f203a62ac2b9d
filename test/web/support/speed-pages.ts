import type { Page } from 'playwright-core';
import { newLink } from '../../api/checkout/checkout-buyer';
import { expectStatus } from '../../api/support/api-client';
import { paymentRequest } from '../../support/fixtures/payments';
import { checkoutUrl } from './checkout-page';
import { logIn } from './dashboard-page';
import type { MeasuredPage } from './page-speed';
import type { ViewContext } from './views';

/** A page whose speed has a limit. */
export interface SpeedPage {
  readonly name: string;
  readonly measured: (context: ViewContext) => Promise<MeasuredPage>;
}

export const SPEED_PAGES: readonly SpeedPage[] = [
  {
    name: 'checkout',
    measured: async ({ api, company }) => ({
      url: checkoutUrl(api, await newLink(company.byKey)),
      prepare: () => Promise.resolve(),
      untilShown: (page) => page.getByLabel('Full name').waitFor(),
    }),
  },
  { name: 'documentation', measured: (context) => Promise.resolve(docsPage(context, '')) },
  // The page with the most operations.
  {
    name: 'documentation, longest',
    measured: (context) => Promise.resolve(docsPage(context, '/api/administration')),
  },
  { name: 'overview', measured: (context) => Promise.resolve(dashboardPage(context, '/')) },
  {
    name: 'payment',
    measured: async (context) => {
      const answer = await context.company.byKey('createCardPayment', { body: paymentRequest() });
      const { transaction_id: id } = expectStatus(answer, 200).body;
      return dashboardPage(context, `/payments/${id}`);
    },
  },
];

function dashboardPage({ api, company }: ViewContext, path: string): MeasuredPage {
  return {
    url: `${api.baseUrl}/dashboard${path}`,
    prepare: (page) => logIn(page, api, company),
    untilShown,
  };
}

function docsPage({ api }: ViewContext, path: string): MeasuredPage {
  return {
    url: `${api.baseUrl}/docs${path}`,
    prepare: () => Promise.resolve(),
    untilShown: (page) => page.getByRole('searchbox').waitFor(),
  };
}

async function untilShown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
}
