import type { GatewayContext } from '../gateway';
import { GatewayError } from '../errors';
import { get } from './calls';
import { moneyByTransactions, moneyOf, tellsMoney, type ChargeMoney } from './charge-money';
import {
  chargeWithOrder,
  type PagarmeCharge,
  type PagarmeChargeWithOrder,
  type PagarmeTransaction,
  transactionList,
} from './wire';

/** The largest page that merchants report. */
const PAGE = 30;
const MAX_PAGES = 10;

export function chargePath(id: string): string {
  return `charges/${encodeURIComponent(id)}`;
}

/** @param sendBefore the send window of the change that the charge is read for; null for an inquiry */
export function chargeById(
  ctx: GatewayContext,
  id: string,
  sendBefore: number | null = null,
): Promise<PagarmeChargeWithOrder> {
  return get(ctx, { path: chargePath(id), sendBefore }, chargeWithOrder);
}

/** What the customer paid of the charge and got back, as far as needed by its transactions. */
export async function moneyAt(ctx: GatewayContext, charge: PagarmeCharge): Promise<ChargeMoney> {
  return tellsMoney(charge)
    ? moneyOf(charge)
    : moneyByTransactions(charge, await transactionsOf(ctx, charge));
}

/** All transactions of the charge, oldest first: https://docs.pagar.me/reference/obter-cobrança */
async function transactionsOf(
  ctx: GatewayContext,
  { id }: PagarmeCharge,
): Promise<readonly PagarmeTransaction[]> {
  const transactions: PagarmeTransaction[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = { page, size: PAGE };
    const { data, paging } = await get(
      ctx,
      { path: `${chargePath(id)}/transactions`, query },
      transactionList,
    );
    transactions.push(...data);
    if (transactions.length >= paging.total) return oldestFirst(transactions);
    if (data.length === 0) break;
  }
  throw new GatewayError('ambiguous', 'the transactions of the charge could not all be read');
}

/** The order of the list is not documented. */
function oldestFirst(newestFirst: readonly PagarmeTransaction[]): readonly PagarmeTransaction[] {
  return newestFirst
    .toReversed()
    .map((transaction, position) => ({ transaction, position }))
    .sort(
      (a, b) =>
        Date.parse(a.transaction.created_at ?? '') - Date.parse(b.transaction.created_at ?? '') ||
        a.position - b.position,
    )
    .map(({ transaction }) => transaction);
}
