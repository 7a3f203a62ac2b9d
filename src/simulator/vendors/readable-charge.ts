import type { StoredCharge } from '../charge-store';
import type { SimulatorCore } from './adapter';

/** Whether a charge exists that this account may see. */
export function isReadable(
  core: SimulatorCore,
  account: string,
  charge: StoredCharge | null,
): charge is StoredCharge {
  return charge !== null && core.accounts.canRead(account, charge.account);
}
