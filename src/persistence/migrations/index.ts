import type { Migration } from '../migrator';
import { migration as payments } from './0001-payments';

/** In the order they are applied. */
export const migrations: readonly Migration[] = [payments];
