import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Repeat from 'lucide-react/icons/repeat';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { ExportButton } from '../exports/export-button';
import { PagedList } from '../shared/paged-list';
import { useSteadyList } from '../shared/use-steady-list';
import { messages } from './messages';
import { subscriptionsQuery } from './queries';
import { isFiltered, type SubscriptionSearch } from './search';
import { SubscriptionFilters } from './subscription-filters';
import { SubscriptionTable } from './subscription-table';

const route = getRouteApi('/signed-in/subscriptions');

export function Subscriptions() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const subscriptions = useQuery(subscriptionsQuery(search));
  const steady = useSteadyList(subscriptions, search, ({ id }) => id);
  const show = (changed: SubscriptionSearch) => void navigate({ to: '/subscriptions', search: changed });
  const { page: _page, ...filters } = search;
  const total = subscriptions.data?.meta.total;
  const exportButton = <ExportButton choices={[{ kind: 'subscriptions', query: filters, total }]} />;
  return (
    <Page title={messages.title} subtitle={messages.subtitle} actions={exportButton}>
      <SubscriptionFilters search={search} show={show} />
      <PagedList
        {...steady}
        lines={10}
        empty={<NoSubscriptions search={search} />}
        table={(rows) => (
          <SubscriptionTable subscriptions={rows} outdated={subscriptions.isPlaceholderData} />
        )}
        total={messages.total}
        goTo={(page) => show({ ...search, page })}
      />
    </Page>
  );
}

function NoSubscriptions({ search }: { readonly search: SubscriptionSearch }) {
  const icon = <Repeat size={32} aria-hidden />;
  return isFiltered(search) ? (
    <EmptyMessage icon={icon} title={messages.noMatch} hint={messages.noMatchHint} />
  ) : (
    <EmptyMessage icon={icon} title={messages.none} hint={messages.noneHint} />
  );
}
