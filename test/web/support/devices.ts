import type { BrowserContextOptions } from 'playwright-core';

/** The devices on which each view is opened. */
export const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 1.5, hasTouch: true, isMobile: true },
  desktop: { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 },
} satisfies Record<string, BrowserContextOptions>;

export type Device = keyof typeof DEVICES;
