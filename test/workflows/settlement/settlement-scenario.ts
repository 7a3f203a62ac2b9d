import { nextBankDay } from '../../../src/domain/payments/billet-calendar';
import type { SettlementItemKind } from '../../../src/domain/settlement/settlement-item';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { SettlementId } from '../../../src/domain/shared/ids';
import { BRASILIA, dateIn } from '../../../src/domain/time/timezone';
import type { PaymentBody } from '../../../src/presenters/payment';
import type { StatementError } from '../../../src/simulator/statements/statement-errors';
import type { ApiClient } from '../../api/support/api-client';
import { pendingPix, untilStatus } from '../../api/support/payment-scenario';
import type { Engine } from '../../support/stack/engine';
import { waitFor } from '../../support/stack/wait-for';

export const TODAY = dateIn(BRASILIA, new Date());
/** When refunds of today are deducted, and what banks could not settle today is settled. */
export const NEXT_DAY = nextBankDay(dateIn(BRASILIA, new Date(Date.now() + 86_400_000)));

/** What each planted error must be found as. */
export const FOUND_AS: Readonly<Record<StatementError, SettlementItemKind>> = {
  missing: 'missing_there',
  missing_settlement: 'missing_there',
  missing_refund: 'missing_there',
  unknown: 'unknown_to_us',
  unknown_refund: 'unknown_to_us',
  unknown_dispute: 'unknown_dispute',
  amount: 'amount_differs',
  settled_amount: 'amount_differs',
  fee: 'fee_differs',
  net: 'net_differs',
  duplicate: 'twice',
  double_charge: 'charged_twice',
  wrong_day: 'wrong_day',
  currency: 'currency_differs',
  installment: 'installment_differs',
};

export async function paidPix(
  { simulator }: Engine,
  client: ApiClient,
  amount: number,
): Promise<PaymentBody> {
  const pix = await pendingPix(client, { amount });
  await simulator.pay(pix.transaction_id);
  return untilStatus(client, pix, 'approved');
}

/** Has the statement of a day fetched and reconciled, as the sweeper does each day. */
export async function settle(
  { context, sweeper }: Engine,
  companyId: number,
  day: string,
  gateway: GatewaySlug = 'gateway_1',
): Promise<SettlementId> {
  const [accountId = null] = await context.settlements.listAccounts(companyId, gateway);
  const id = await context.settlements.insertToFetch({ companyId, gateway, accountId }, day, context.now());
  if (id === null) throw new Error('there is a settlement of this day already');
  await sweeper.sweepOnce();
  await untilSettled({ context }, id);
  return id;
}

export function untilSettled({ context }: Pick<Engine, 'context'>, id: SettlementId) {
  return waitFor(
    async () => {
      const settlement = await context.settlements.find(id);
      if (settlement?.status !== 'done') throw new Error(`the settlement is ${settlement?.status}`);
      return settlement;
    },
    { what: 'the settlement' },
  );
}

export interface FoundItem {
  readonly kind: SettlementItemKind;
  readonly transactionId: string | null;
  readonly expectedCents: number | null;
  readonly actualCents: number | null;
}

export function itemsOf({ context }: Pick<Engine, 'context'>, companyId: number): Promise<FoundItem[]> {
  return context.db.query<FoundItem>(
    `SELECT kind, transaction_id AS "transactionId", expected_cents AS "expectedCents", actual_cents AS "actualCents"
       FROM settlement_items WHERE company_id = $1 ORDER BY kind, id`,
    [companyId],
  );
}

/** The balances of a company's accounts. */
export async function balancesOf(
  { context }: Pick<Engine, 'context'>,
  companyId: number,
): Promise<Record<string, number>> {
  const rows = await context.db.query<{ account: string; cents: number }>(
    `SELECT account, sum(amount_cents)::bigint AS cents FROM ledger_postings WHERE company_id = $1 GROUP BY account`,
    [companyId],
  );
  return Object.fromEntries(rows.map(({ account, cents }) => [account, cents]));
}
