import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildWeb } from '../../../src/dev/build/build-web';
import { expectStatus } from '../../api/support/api-client';
import { startEngineApi } from '../../api/support/engine-api';
import { openShop, type Shop } from '../../api/dashboard/dashboard-company';
import startStack from '../../support/stack/global-setup';
import stopStack from '../../support/stack/global-teardown';
import { sending, startPictureHost } from '../../support/stack/picture-host';
import { openPage, startBrowser } from './browser';
import { watchFirstLoad, type FirstLoad } from './first-load';
import { newCoupon } from './checkout-page';
import { SCENES, type Scene, type SceneStage } from './scenes';

/** The screens that every page is looked at on. */
export const SCREENS = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
} satisfies Record<string, BrowserContextOptions>;

export type Screen = keyof typeof SCREENS;

/** The whole service on this machine for as long as `work` takes: databases, workers, gateways and a browser. */
export async function withWebStack(work: (house: Playhouse) => Promise<void>): Promise<void> {
  await Promise.all([startStack(), buildWeb()]);
  try {
    const [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
    try {
      const shop = await openShop(api, ['gateway_1', 'gateway_2'], { calledBack: 'signed' });
      await dress(shop, browser);
      const { code: coupon } = await newCoupon(shop, { code: 'WELCOME25' });
      await work(new Playhouse(browser, { api, shop, coupon }));
    } finally {
      await browser.close();
      await api.stop();
    }
  } finally {
    await stopStack();
  }
}

export class Playhouse {
  constructor(
    private readonly browser: Browser,
    private readonly stage: SceneStage,
  ) {}

  /** Every scene on every screen, one after the other. */
  async eachScene(
    look: (page: Page, scene: Scene, screen: Screen, firstLoad: FirstLoad) => Promise<void>,
  ): Promise<void> {
    for (const scene of SCENES) {
      for (const screen of Object.keys(SCREENS) as Screen[]) {
        const { page, complaints, close } = await openPage(this.browser, {
          ...SCREENS[screen],
          reducedMotion: 'reduce',
        });
        const firstLoad = watchFirstLoad(page);
        await scene.reach(page, this.stage);
        await page.evaluate('document.fonts.ready.then(() => undefined)');
        await look(page, scene, screen, firstLoad());
        if (complaints.length > 0) throw new Error(`${scene.name}: ${complaints.join('; ')}`);
        await close();
      }
    }
  }
}

/** Gives the company a face: its logo is drawn by the browser itself. */
async function dress({ admin }: Shop, browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 96, height: 96 }, deviceScaleFactor: 2 });
  await page.setContent(LOGO);
  const picture = await page.screenshot();
  await page.close();
  const host = await startPictureHost();
  const { url } = host.serve(sending(picture));
  const brand = { name: 'Atelier do Barro', logo_url: url, color: '#8a4b2f' };
  expectStatus(await admin('updateCompanyConfig', { body: { brand } }), 200);
  host.close();
}

const LOGO = `<style>body { margin: 0 }</style><svg width="96" height="96" viewBox="0 0 96 96">
  <rect width="96" height="96" fill="#8a4b2f"/>
  <path d="M33 24h30c-3 6-3 9 1 15 9 13 4 35-16 35s-25-22-16-35c4-6 4-9 1-15z" fill="#f6e7d8"/>
  <path d="M31 47c11 5 23 5 34 0" stroke="#8a4b2f" stroke-width="4" fill="none"/></svg>`;
