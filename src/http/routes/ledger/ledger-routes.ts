import { dashboardDays } from '../../../domain/time/dashboard-period';
import { BRASILIA } from '../../../domain/time/timezone';
import type { LedgerReader } from '../../../persistence/read-models/ledger';
import { presentLedgerBalance, presentLedgerEntry } from '../../../presenters/ledger/ledger-entries';
import type { RouteHandlers } from '../../server/route';

export interface LedgerRouteDeps {
  readonly ledger: LedgerReader;
}

/** The company's ledger. */
export function ledgerRoutes({
  ledger,
}: LedgerRouteDeps): Pick<RouteHandlers, 'listLedgerEntries' | 'listLedgerBalances'> {
  return {
    listLedgerEntries: async ({ company, query }) => {
      const { account, transaction_id: transactionId, from, to, after = null, per_page: limit } = query;
      const filter = { account, transactionId, from, to };
      const found = await ledger.listEntries(company.id, filter, { after, limit });
      const data = found.slice(0, limit).map(presentLedgerEntry);
      const meta = { next_after: data.at(-1)?.id ?? after, has_more: found.length > limit };
      return { status: 200, body: { data, meta } };
    },

    listLedgerBalances: async ({ company, query, receivedAt }) => {
      const days = dashboardDays(query, BRASILIA, receivedAt);
      const [from, to] = [days[0]?.date ?? '', days.at(-1)?.date ?? ''];
      const found = await ledger.listBalances(company.id, { account: query.account, from, to });
      return { status: 200, body: { data: found.map(presentLedgerBalance) } };
    },
  };
}
