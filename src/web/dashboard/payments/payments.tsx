import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import SearchX from 'lucide-react/icons/search-x';
import { count } from '../../ui/formats';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Lines, Loaded, Nothing } from '../../ui/states';
import { messages } from './messages';
import { PaymentFilters } from './payment-filters';
import { PaymentTable } from './payment-table';
import { paymentsQuery } from './queries';
import { filtersIn, type PaymentSearch } from './search';

const route = getRouteApi('/signed-in/payments');

/** The company's payments, newest first. */
export function Payments() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const payments = useQuery(paymentsQuery(search));
  const show = (changed: PaymentSearch) => void navigate({ to: '/payments', search: changed });
  return (
    <Page title={messages.title}>
      <PaymentFilters search={search} show={show} />
      <Panel flush>
        <Loaded query={payments} skeleton={<Lines count={10} />}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <NoPayments search={search} />
            ) : (
              <>
                <PaymentTable payments={data} outdated={payments.isPlaceholderData} />
                <Pager
                  meta={meta}
                  total={messages.total(meta.total, count(meta.total))}
                  goTo={(page) => show({ ...search, page })}
                />
              </>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

function NoPayments({ search }: { readonly search: PaymentSearch }) {
  const icon = <SearchX size={32} aria-hidden />;
  const isEverything = search.q === undefined && filtersIn(search) === 0;
  return isEverything ? (
    <Nothing icon={icon} title={messages.none} about={messages.noneAbout} />
  ) : (
    <Nothing icon={icon} title={messages.nothing} about={messages.nothingAbout} />
  );
}
