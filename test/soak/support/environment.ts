import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/persistence/sql/transaction';
import type { SimulatorControl } from '../../support/stack/simulator';

/** The deployment that a month runs against, and direct access to the servers behind it. */
export interface SoakEnvironment {
  /** The API's origin, without its base path. */
  readonly baseUrl: string;
  readonly db: Database;
  readonly temporal: Client;
  readonly simulator: SimulatorControl;
  /** Whether processes are killed and frozen during the month: then a gateway may be down, and a payment declined. */
  readonly withFaults: boolean;
}
