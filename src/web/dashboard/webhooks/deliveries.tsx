import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Inbox from 'lucide-react/icons/inbox';
import { count } from '../../ui/formats';
import { Pager } from '../../ui/layout/pager';
import { EmptyMessage, QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { ShowLatest } from '../shared/show-latest';
import { useSteadyList } from '../shared/use-steady-list';
import { DeliveryFilters } from './delivery-filters';
import { DeliveryList } from './delivery-list';
import type { DeliverySearch } from './delivery-search';
import { messages } from './messages';
import { deliveriesQuery, type Endpoint } from './queries';
import { ResendFailed } from './resend-failed';

const route = getRouteApi('/signed-in/webhooks/$id');

/** What was sent to an endpoint, newest first. */
export function Deliveries({ endpoint }: { readonly endpoint: Endpoint }) {
  const { id } = endpoint;
  const search = route.useSearch();
  const { page = 1, ...filter } = search;
  const navigate = useNavigate();
  const show = (changed: DeliverySearch) =>
    void navigate({ to: '/webhooks/$id', params: { id: String(id) }, search: changed });
  const steady = useSteadyList(useQuery(deliveriesQuery(id, filter, page)), search, (row) => row.id);
  const isFiltered = filter.status !== undefined || filter.event !== undefined;
  return (
    <Panel
      title={messages.deliveries}
      flush
      actions={<ResendFailed endpoint={endpoint} event={filter.event} />}
    >
      <DeliveryFilters search={search} show={show} />
      <QueryContent query={steady.query}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <NoDeliveries isFiltered={isFiltered} />
          ) : (
            <>
              <ShowLatest show={steady.showLatest} />
              <DeliveryList
                deliveries={data.map((delivery) => ({ ...delivery, endpointId: id }))}
                reloads={['webhooks']}
              />
              <Pager
                meta={meta}
                total={messages.total(meta.total, count(meta.total))}
                goTo={(next) => show({ ...filter, ...(next > 1 && { page: next }) })}
              />
            </>
          )
        }
      </QueryContent>
    </Panel>
  );
}

function NoDeliveries({ isFiltered }: { readonly isFiltered: boolean }) {
  const icon = <Inbox size={32} aria-hidden />;
  return isFiltered ? (
    <EmptyMessage icon={icon} title={messages.noMatch} hint={messages.noMatchHint} />
  ) : (
    <EmptyMessage icon={icon} title={messages.noDeliveries} hint={messages.noDeliveriesHint} />
  );
}
