import type { Migration } from './migration';
import { migration as payments } from './0001-payments';

/** In the order they are applied. */
export const migrations: readonly Migration[] = [payments];
