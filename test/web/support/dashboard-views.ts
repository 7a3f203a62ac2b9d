import { logIn } from './dashboard-page';
import type { PageView } from './views';

/** Paths of pages for signed-in users. */
const PAGES = { 'dashboard-overview': '/', 'dashboard-payments': '/payments' };

/** These come after the checkout views and show the purchases made there. */
export const dashboardViews: readonly PageView[] = Object.entries(PAGES).map(([name, path]) => ({
  name,
  isLong: true,
  open: async (page, { api, company }) => {
    await logIn(page, api, company);
    await page.goto(`${api.baseUrl}/dashboard${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'hidden' });
  },
}));
