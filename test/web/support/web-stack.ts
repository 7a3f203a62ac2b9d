import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../../src/dev/build/build-web';
import { expectStatus } from '../../api/support/api-client';
import { startEngineApi } from '../../api/support/engine-api';
import { registerDashboardCompany, type DashboardCompany } from '../../api/dashboard/dashboard-company';
import { verifyAddress } from '../../api/users/team-api';
import { registration } from '../../api/users/user-api';
import startStack from '../../support/stack/global-setup';
import stopStack from '../../support/stack/global-teardown';
import { sending, startPictureHost } from '../../support/stack/picture-host';
import { openPage, startBrowser } from './browser';
import { DEVICES, type Device } from './devices';
import { createCoupon } from './checkout-page';
import { measurePage, type PageSpeed } from './page-speed';
import type { SpeedPage } from './speed-pages';
import { VIEWS, type PageView, type ViewContext } from './views';

/** Servers besides the usual ones, and the settings with which the engine finds them. */
interface MoreServers {
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const noMore = (): Promise<MoreServers> => Promise.resolve({ settings: {}, stop: () => Promise.resolve() });

/** Runs `work` with the whole service on this machine: database, workers, gateways and a browser. */
export async function withWebStack(work: (stack: WebStack) => Promise<void>): Promise<void> {
  await withMoreServers(noMore, work);
}

export async function withMoreServers<Servers extends MoreServers>(
  startMore: () => Promise<Servers>,
  work: (stack: WebStack, more: Servers) => Promise<void>,
): Promise<void> {
  await Promise.all([startStack(), buildWeb()]);
  let more: Servers | undefined;
  try {
    // The user is also an operator of the deployment.
    const { email } = registration();
    more = await startMore();
    const settings = { ...more.settings, SUPPORT_EMAILS: email };
    const [api, browser] = await Promise.all([startEngineApi(settings), startBrowser()]);
    try {
      const company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2'], {
        calledBack: 'signed',
        email,
      });
      await verifyAddress(api, expectStatus(await company.byToken('getMe'), 200).body.data.id);
      await setBrand(company, browser);
      const { code: coupon } = await createCoupon(company, { code: 'WELCOME25' });
      await work(new WebStack(browser, { api, company, coupon }), more);
    } finally {
      await browser.close();
      await api.stop();
    }
  } finally {
    await more?.stop();
    await stopStack();
  }
}

export class WebStack {
  constructor(
    private readonly browser: Browser,
    private readonly context: ViewContext,
  ) {}

  /** How fast each of these pages is on a phone. */
  async speeds(pages: readonly SpeedPage[]): Promise<Map<string, PageSpeed>> {
    const speeds = new Map<string, PageSpeed>();
    for (const { name, measured } of pages) {
      speeds.set(name, await measurePage(this.browser, await measured(this.context)));
    }
    return speeds;
  }

  /** Opens every view on each of its devices. */
  async eachView(
    visit: (page: Page, view: PageView, device: Device) => Promise<void>,
    views: readonly PageView[] = VIEWS,
  ): Promise<void> {
    for (const view of views) {
      for (const device of view.devices ?? (Object.keys(DEVICES) as Device[])) {
        const { page, consoleErrors, close } = await openPage(this.browser, {
          ...DEVICES[device],
          reducedMotion: 'reduce',
        });
        await view.open(page, this.context);
        await page.evaluate('document.fonts.ready.then(() => undefined)');
        await visit(page, view, device);
        if (consoleErrors.length > 0) throw new Error(`${view.name}: ${consoleErrors.join('; ')}`);
        await close();
      }
    }
  }
}

/** Sets the merchant's brand. The browser renders the logo. */
async function setBrand({ byToken }: DashboardCompany, browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 96, height: 96 }, deviceScaleFactor: 2 });
  await page.setContent(LOGO_HTML);
  const logo = await page.screenshot();
  await page.close();
  const host = await startPictureHost();
  const { url } = host.serve(sending(logo));
  const brand = { name: 'Atelier do Barro', logo_url: url, color: '#8a4b2f' };
  expectStatus(await byToken('updateCompanyConfig', { body: { brand } }), 200);
  host.close();
}

const LOGO_HTML = `<style>body { margin: 0 }</style><svg width="96" height="96" viewBox="0 0 96 96">
  <rect width="96" height="96" fill="#8a4b2f"/>
  <path d="M33 24h30c-3 6-3 9 1 15 9 13 4 35-16 35s-25-22-16-35c4-6 4-9 1-15z" fill="#f6e7d8"/>
  <path d="M31 47c11 5 23 5 34 0" stroke="#8a4b2f" stroke-width="4" fill="none"/></svg>`;
