import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

/** Debian's, which talks to nobody by itself. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Without a graphics card whatever moves is painted by the processor, over and over.
    args: [
      ...['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-gpu'],
      // A shop on the internet with the service on this machine is a test's affair alone.
      '--disable-features=LocalNetworkAccessChecks',
    ],
  });
}

/** A page, with what it complained of and whom it asked for anything. */
export interface Visit {
  readonly page: Page;
  /** Errors, warnings and broken security policies, as the console shows them. */
  readonly complaints: string[];
  /** Origins of all that was loaded. */
  readonly hosts: ReadonlySet<string>;
  close(): Promise<void>;
}

/** A request that was refused is an answer like any other; the page is to show it, and the console shows it too. */
const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !REFUSED.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) hosts.add(new URL(request.url()).origin);
  });
  return { page, complaints, hosts, close: () => context.close() };
}
