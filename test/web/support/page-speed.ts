import type { Browser, CDPSession, Page } from 'playwright-core';
import { openPage } from './browser';
import { DEVICES } from './devices';

/** Lighthouse's mobile profile: slow 4G on a phone with a quarter of this machine's speed. */
const SLOW_4G = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const CPU_SLOWDOWN = 4;
/** The median of these; other work on the machine delays single visits. */
const VISITS = 5;

/** The first visit with an empty cache. */
export interface PageSpeed {
  /** Time from the navigation to the largest contentful paint. */
  readonly lcpMs: number;
  /** Time from the navigation until the page shows its data. */
  readonly shownMs: number;
  readonly requests: number;
}

export interface MeasuredPage {
  readonly url: string;
  /** Prepares the browser, for example signs in; not measured. */
  readonly prepare: (page: Page) => Promise<void>;
  /** Waits until the page shows its data. */
  readonly untilShown: (page: Page) => Promise<void>;
}

/** The median visit, by its largest contentful paint. */
export async function measurePage(browser: Browser, measured: MeasuredPage): Promise<PageSpeed> {
  const visits: PageSpeed[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) visits.push(await measureVisit(browser, measured));
  const [median] = visits.toSorted((a, b) => a.lcpMs - b.lcpMs).slice(Math.floor(VISITS / 2));
  if (median === undefined) throw new Error('no visit');
  return median;
}

async function measureVisit(
  browser: Browser,
  { url, prepare, untilShown }: MeasuredPage,
): Promise<PageSpeed> {
  const { page, close } = await openPage(browser, DEVICES.phone);
  await prepare(page);
  await page.addInitScript(OBSERVE_LCP);
  const session = await page.context().newCDPSession(page);
  await slowDown(session);
  let requests = 0;
  page.on('request', () => (requests += 1));
  await page.goto(url, { waitUntil: 'commit' });
  await untilShown(page);
  const shownMs = await page.evaluate<number>('performance.now()');
  await page.waitForLoadState('networkidle');
  const lcpMs = await page.evaluate<number>('window.largestPaintMs');
  await close();
  return { lcpMs, shownMs, requests };
}

/** Keeps the time of the last candidate in `window.largestPaintMs`. */
const OBSERVE_LCP = `new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.largestPaintMs = entry.startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true })`;

async function slowDown(session: CDPSession): Promise<void> {
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
}
