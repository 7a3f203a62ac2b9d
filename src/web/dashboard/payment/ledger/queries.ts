import { queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../../api/client';

export type LedgerEntry = Schema<'LedgerEntry'>;

/** A payment has one entry for each time that its money moves, so one page has nearly always all of them. */
const PER_PAGE = 100;

/** `updatedAt`: when the payment was changed last, so that its entries are read again after each change. */
export const paymentLedgerQuery = (id: string, updatedAt: string | null) =>
  queryOptions({
    queryKey: ['payments', 'ledger', id, updatedAt],
    queryFn: async () => {
      const query = { transaction_id: id, per_page: PER_PAGE };
      const { data, meta } = await unwrapBody(api.GET('/user/ledger', { params: { query } }));
      return { entries: data, complete: !meta.has_more };
    },
  });
