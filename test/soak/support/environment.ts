import type { Client } from '@temporalio/client';
import type { Database } from '../../../src/persistence/sql/transaction';
import type { SimulatorControl } from '../../support/stack/simulator';

/** Where a month is played: the service's address, and what is looked at behind its back. */
export interface World {
  /** The API's, without its base path. */
  readonly baseUrl: string;
  readonly db: Database;
  readonly temporal: Client;
  readonly simulator: SimulatorControl;
  /** Parts are killed and frozen meanwhile: then a gateway may be down, and a customer refused because of it. */
  readonly disturbed: boolean;
}
