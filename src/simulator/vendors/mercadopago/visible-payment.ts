import type { StoredCharge } from '../../charge-store';
import type { SimulatorCore } from '../adapter';
import { isReadable } from '../readable-charge';
import { SELLER } from './oauth';

/**
 * Whether a payment exists that this account may see. A seller's payments are the seller's alone, not the platform's or another
 * seller's: https://www.mercadopago.com.br/developers/en/docs/split-payments/integration-configuration/integrate-marketplace
 */
export function isVisible(
  core: SimulatorCore,
  account: string,
  charge: StoredCharge | null,
): charge is StoredCharge {
  if (!isReadable(core, account, charge)) return false;
  const isSellers = account.startsWith(SELLER) || charge.account.startsWith(SELLER);
  return !isSellers || account === charge.account;
}
