import type { SimulatorResponse } from '../../replies';
import type { WireSplit } from '../../../gateways/simulator/wire';
import { reais } from './amounts';
import { refused } from './errors';
import { ownWalletOf, recipientOfWallet } from './ids';
import type { AsaasSplitBody } from './parameters';
import type { AsaasSplit } from './record';

/**
 * The cents of each part: https://docs.asaas.com/docs/split-de-pagamentos. Percentages are of the net value, and the rest stays
 * with the account of the payment, whose own wallet must not be named. Rounding is not documented: down, here.
 */
export function readSplits(
  splits: readonly AsaasSplitBody[],
  { netCents, account }: { readonly netCents: number; readonly account: string },
): readonly AsaasSplit[] | SimulatorResponse {
  // The text: answers that integrators of Asaas report.
  if (splits.some(({ walletId }) => walletId === ownWalletOf(account)))
    return refused('Não é permitido split para sua própria carteira.');
  if (new Set(splits.map(({ walletId }) => walletId)).size < splits.length)
    return refused('Cada carteira só pode ser informada uma vez.');
  const read = splits.map((split) => ({
    ...split,
    amount:
      (split.fixedValue ?? split.totalFixedValue ?? 0) +
      Math.floor((netCents * (split.percentualValue ?? 0)) / 100),
  }));
  const sum = read.reduce((total, { amount }) => total + amount, 0);
  return sum > netCents
    ? refused(`O valor do split excede o valor líquido da cobrança de R$ ${reais(netCents)}.`)
    : read;
}

/** In the core's words. The account of the payment pays the fee. */
export function wireSplitsOf(splits: readonly AsaasSplit[]): WireSplit[] {
  return splits.map(({ walletId, amount }) => ({
    recipient_id: recipientOfWallet(walletId),
    amount,
    liable: false,
    charge_processing_fee: false,
  }));
}
