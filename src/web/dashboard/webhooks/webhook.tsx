import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { messages as shared } from '../../ui/messages';
import { DetailContent } from '../../ui/layout/detail-content';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { Deliveries } from './deliveries';
import { EndpointMenu } from './endpoint-menu';
import { EndpointState } from './endpoint-state';
import { messages } from './messages';
import { endpointsQuery, type Endpoint } from './queries';
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
            <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.back}
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
      <Deliveries endpoint={endpoint} />
      {secret !== null && <SecretOnce secret={secret} close={() => showSecret(null)} />}
    </Page>
  );
}
