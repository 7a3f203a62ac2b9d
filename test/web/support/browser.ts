import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Debian's Chromium without windows takes less than half the CPU time of the full one. */
const WITHOUT_WINDOWS = '/usr/bin/chromium-headless-shell';

/** A browser that sends no background requests. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: existsSync(WITHOUT_WINDOWS) ? WITHOUT_WINDOWS : '/usr/bin/chromium',
    args: [
      ...['--no-sandbox', '--disable-quic', '--disable-background-networking'],
      // Without a GPU, animations are repainted by the CPU continuously.
      '--disable-gpu',
      // Text is as wide as on a phone: the build without windows would widen it to whole pixels.
      '--font-render-hinting=none',
      // Only tests have a public page that embeds a service on localhost.
      '--disable-features=LocalNetworkAccessChecks',
    ],
  });
}

/** A page with its console messages and requested origins. */
export interface PageVisit {
  readonly page: Page;
  /** Console errors and warnings, including violations of the content security policy. */
  readonly consoleErrors: string[];
  /** Origins of all requests. */
  readonly origins: ReadonlySet<string>;
  close(): Promise<void>;
}

/** The console also reports 4xx responses; pages are expected to show these. */
const CLIENT_ERROR = /^Failed to load resource: the server responded with a status of 4\d\d/;

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<PageVisit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const consoleErrors: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !CLIENT_ERROR.test(message.text())) {
      consoleErrors.push(message.text());
    }
  });
  page.on('pageerror', (error) => consoleErrors.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  return { page, consoleErrors, origins, close: () => context.close() };
}
