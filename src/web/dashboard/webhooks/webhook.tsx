import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import Inbox from 'lucide-react/icons/inbox';
import { useState } from 'react';
import { count } from '../../ui/formats';
import { messages as shared } from '../../ui/messages';
import { DetailContent } from '../../ui/layout/detail-content';
import { Page } from '../../ui/layout/page';
import { Pager } from '../../ui/layout/pager';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage, QueryContent } from '../../ui/layout/page-states';
import { TextLink } from '../shared/links';
import { DeliveryList } from './delivery-list';
import { EndpointMenu } from './endpoint-menu';
import { EndpointState } from './endpoint-state';
import { messages } from './messages';
import { deliveriesQuery, endpointsQuery, type Endpoint } from './queries';
import { SecretOnce } from './secret-once';

const route = getRouteApi('/signed-in/webhooks/$id');

export function Webhook() {
  const { id } = route.useParams();
  const endpoints = useQuery(endpointsQuery);
  return (
    <DetailContent query={endpoints}>
      {(data) => {
        const endpoint = data.find((item) => String(item.id) === id);
        if (endpoint !== undefined) return <EndpointPage endpoint={endpoint} />;
        return (
          <Page title={shared.notFound}>
            <EmptyMessage title={shared.errors.notFound} />
          </Page>
        );
      }}
    </DetailContent>
  );
}

function EndpointPage({ endpoint }: { readonly endpoint: Endpoint }) {
  const [secret, showSecret] = useState<string | null>(null);
  return (
    <Page
      title={messages.endpoint}
      subtitle={
        <>
          <TextLink to="/webhooks" fz="sm">
            <ArrowLeft size={14} aria-hidden /> {messages.back}
          </TextLink>
          <Text fw={600} c="var(--mantine-color-text)" mt={6} style={{ overflowWrap: 'anywhere' }}>
            {endpoint.url}
          </Text>
          <Text size="sm">{endpoint.events.join(', ')}</Text>
          <EndpointState endpoint={endpoint} />
        </>
      }
      actions={<EndpointMenu endpoint={endpoint} showSecret={showSecret} />}
    >
      <Deliveries id={endpoint.id} />
      {secret !== null && <SecretOnce secret={secret} close={() => showSecret(null)} />}
    </Page>
  );
}

function Deliveries({ id }: { readonly id: number }) {
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const deliveries = useQuery(deliveriesQuery(id, page));
  const goTo = (next: number) =>
    void navigate({
      to: '/webhooks/$id',
      params: { id: String(id) },
      search: next > 1 ? { page: next } : {},
    });
  return (
    <Panel title={messages.deliveries} flush>
      <QueryContent query={deliveries}>
        {({ data, meta }) =>
          data.length === 0 ? (
            <EmptyMessage
              icon={<Inbox size={32} aria-hidden />}
              title={messages.noDeliveries}
              hint={messages.noDeliveriesHint}
            />
          ) : (
            <>
              <DeliveryList
                deliveries={data.map((delivery) => ({ ...delivery, endpointId: id }))}
                reloads={['webhooks']}
              />
              <Pager meta={meta} total={messages.total(meta.total, count(meta.total))} goTo={goTo} />
            </>
          )
        }
      </QueryContent>
    </Panel>
  );
}
