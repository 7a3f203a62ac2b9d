import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Repeat from 'lucide-react/icons/repeat';
import { count } from '../../ui/formats';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/pager';
import { Panel } from '../../ui/panel';
import { Lines, Loaded, Nothing } from '../../ui/states';
import { messages } from './messages';
import { subscriptionsQuery } from './queries';
import { isFiltered, type SubscriptionSearch } from './search';
import { SubscriptionFilters } from './subscription-filters';
import { SubscriptionTable } from './subscription-table';

const route = getRouteApi('/signed-in/subscriptions');

/** The company's subscriptions, newest first. */
export function Subscriptions() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const subscriptions = useQuery(subscriptionsQuery(search));
  const show = (changed: SubscriptionSearch) => void navigate({ to: '/subscriptions', search: changed });
  return (
    <Page title={messages.title} about={messages.about}>
      <SubscriptionFilters search={search} show={show} />
      <Panel flush>
        <Loaded query={subscriptions} skeleton={<Lines count={10} />}>
          {({ data, meta }) =>
            data.length === 0 ? (
              <NoSubscriptions search={search} />
            ) : (
              <>
                <SubscriptionTable subscriptions={data} outdated={subscriptions.isPlaceholderData} />
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

function NoSubscriptions({ search }: { readonly search: SubscriptionSearch }) {
  const icon = <Repeat size={32} aria-hidden />;
  return isFiltered(search) ? (
    <Nothing icon={icon} title={messages.nothing} about={messages.nothingAbout} />
  ) : (
    <Nothing icon={icon} title={messages.none} about={messages.noneAbout} />
  );
}
