import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import SearchX from 'lucide-react/icons/search-x';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { ExportButton } from '../exports/export-button';
import { PagedList } from '../shared/paged-list';
import { useSteadyList } from '../shared/use-steady-list';
import { messages } from './messages';
import { PaymentFilters } from './payment-filters';
import { PaymentTable } from './payment-table';
import { paymentsQuery } from './queries';
import { countFilters, type PaymentSearch } from './search';

const route = getRouteApi('/signed-in/payments');

export function Payments() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const payments = useQuery(paymentsQuery(search));
  const steady = useSteadyList(payments, search, ({ transaction_id: id }) => id);
  const show = (changed: PaymentSearch) => void navigate({ to: '/payments', search: changed });
  const { page: _page, ...filters } = search;
  const total = payments.data?.meta.total;
  const { start_date, end_date, gateway } = filters;
  const operations = { start_date, end_date, gateway };
  const exportButton = (
    <ExportButton
      choices={[
        { kind: 'payments', query: filters, total },
        { kind: 'refunds', query: operations },
        { kind: 'splits', query: operations },
      ]}
    />
  );
  return (
    <Page title={messages.title} actions={exportButton}>
      <PaymentFilters search={search} show={show} />
      <PagedList
        {...steady}
        lines={10}
        empty={<NoPayments search={search} />}
        table={(rows) => <PaymentTable payments={rows} outdated={payments.isPlaceholderData} />}
        total={messages.total}
        goTo={(page) => show({ ...search, page })}
      />
    </Page>
  );
}

function NoPayments({ search }: { readonly search: PaymentSearch }) {
  const icon = <SearchX size={32} aria-hidden />;
  const isEverything = search.q === undefined && countFilters(search) === 0;
  return isEverything ? (
    <EmptyMessage icon={icon} title={messages.none} hint={messages.noneHint} />
  ) : (
    <EmptyMessage icon={icon} title={messages.noMatch} hint={messages.noMatchHint} />
  );
}
