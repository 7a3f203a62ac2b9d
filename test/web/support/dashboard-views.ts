import type { Page } from 'playwright-core';
import { expectStatus } from '../../api/support/api-client';
import { paymentRequest } from '../../support/fixtures/payments';
import { logIn } from './dashboard-page';
import { chargeTwice, reconcileToday } from './second-charge';
import type { PageView, ViewContext } from './views';

/** Paths of pages for signed-in users. */
const PAGES = { 'dashboard-overview': '/', 'dashboard-payments': '/payments', 'dashboard-system': '/system' };

/** A statement that shows a second charge of a gateway. */
const chargedTwice: PageView = {
  name: 'support-charged-twice',
  open: async (page, { api, company }) => {
    const query = { kind: 'charged_twice' };
    const known = expectStatus(await company.byToken('listSettlementItems', { query }), 200).body.data[0];
    const id = known?.id ?? (await revealSecondCharge({ api, company }));
    await openPath(page, { api, company }, `/reconciliation/differences/${id}`);
  },
};

/** These come after the checkout views and show the purchases made there. */
export const dashboardViews: readonly PageView[] = [
  ...Object.entries(PAGES).map(([name, path]): PageView => ({
    name,
    isLong: true,
    open: (page, context) => openPath(page, context, path),
  })),
  chargedTwice,
];

type Merchant = Pick<ViewContext, 'api' | 'company'>;

export async function openPath(page: Page, { api, company }: Merchant, path: string): Promise<void> {
  await logIn(page, api, company);
  await page.goto(`${api.baseUrl}/dashboard${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
}

/** Returns the id of the difference. */
export async function revealSecondCharge({ api, company }: Merchant): Promise<string> {
  const body = paymentRequest({ amount: 8_900, merchant_order_id: 'order-2041' });
  const { transaction_id: id } = expectStatus(await company.byKey('createCardPayment', { body }), 200).body;
  const { file } = await chargeTwice(api, id);
  return (await reconcileToday(api, company, file)).difference;
}
