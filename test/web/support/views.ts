import type { Locator, Page } from 'playwright-core';
import type { EngineApi } from '../../api/support/engine-api';
import type { DashboardCompany } from '../../api/dashboard/dashboard-company';
import { checkoutViews } from './checkout-views';
import { dashboardViews } from './dashboard-views';
import type { Device } from './devices';

/** A page in a certain state. */
export interface PageView {
  /** Also the name of the screenshot file. */
  readonly name: string;
  /** True for a long page: its screenshot shows only the first screen. */
  readonly isLong?: boolean;
  /** What the screenshot shows of the page; all of it if omitted. */
  readonly part?: (page: Page) => Locator;
  /** All if omitted. */
  readonly devices?: readonly Device[];
  /** Opens the page and waits until it is stable. */
  readonly open: (page: Page, context: ViewContext) => Promise<void>;
}

/** Data for the views. */
export interface ViewContext {
  readonly api: EngineApi;
  /** A merchant with a name, a logo and a brand color. */
  readonly company: DashboardCompany;
  /** Code of a coupon for 25% off the first charge. */
  readonly coupon: string;
}

/** All views for screenshots and accessibility checks. */
export const VIEWS: readonly PageView[] = [...checkoutViews, ...dashboardViews];
