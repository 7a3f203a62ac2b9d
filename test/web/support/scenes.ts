import type { Page } from 'playwright-core';
import type { EngineApi } from '../../api/support/engine-api';
import type { Shop } from '../../api/dashboard/dashboard-company';
import { checkoutScenes } from './checkout-scenes';
import { dashboardScenes } from './dashboard-scenes';

/** A page as people come to see it. */
export interface Scene {
  /** Also the name of its picture. */
  readonly name: string;
  /** Whether its picture ends with the screen: it goes on for long. */
  readonly isLong?: boolean;
  /** Brings the browser there, to where nothing moves any more. */
  readonly reach: (page: Page, stage: SceneStage) => Promise<void>;
}

/** What scenes are played with. */
export interface SceneStage {
  readonly api: EngineApi;
  /** A company with a name, a logo and a color. */
  readonly shop: Shop;
  /** A coupon of the shop's, with a quarter off the first charge. */
  readonly coupon: string;
}

/** Every page that pictures are taken of and that is looked at for what keeps people out. */
export const SCENES: readonly Scene[] = [...checkoutScenes, ...dashboardScenes];
