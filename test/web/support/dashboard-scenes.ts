import { enter } from './dashboard-page';
import type { Scene } from './scenes';

/** Pages that only the company's people see, by their addresses. */
const PAGES = { 'dashboard-overview': '/', 'dashboard-payments': '/payments' };

/** After the checkout's: what was bought there is shown here. */
export const dashboardScenes: readonly Scene[] = Object.entries(PAGES).map(([name, path]) => ({
  name,
  isLong: true,
  reach: async (page, { api, shop }) => {
    await enter(page, api, shop);
    await page.goto(`${api.baseUrl}/dashboard${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'hidden' });
  },
}));
