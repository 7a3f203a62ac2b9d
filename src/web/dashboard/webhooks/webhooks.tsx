import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import WebhookIcon from 'lucide-react/icons/webhook';
import { useState } from 'react';
import { Panel } from '../../ui/layout/panel';
import { QueryContent, EmptyMessage } from '../../ui/layout/page-states';
import { ExportButton } from '../exports/export-button';
import { useMe } from '../session';
import { ButtonLink } from '../shared/links';
import { ListPage } from '../shared/list-page';
import { messages as receiverMessages } from '../webhook-receiver/messages';
import { EndpointCard } from './endpoint-card';
import { EndpointDialog } from './endpoint-dialog';
import { messages } from './messages';
import { endpointsQuery } from './queries';
import { SecretOnce } from './secret-once';

export function Webhooks() {
  const endpoints = useQuery(endpointsQuery);
  const [secret, showSecret] = useState<string | null>(null);
  const isTest = useMe().company.mode === 'test';
  return (
    <ListPage
      title={messages.title}
      subtitle={messages.subtitle}
      add={messages.add}
      permission="webhooks:write"
      actions={
        <>
          {isTest && (
            <ButtonLink to="/webhooks/receiver" variant="default">
              {receiverMessages.open}
            </ButtonLink>
          )}
          <ExportButton choices={[{ kind: 'events', query: {} }]} />
        </>
      }
      createDialog={(close) => <EndpointDialog close={close} onCreated={showSecret} />}
    >
      <QueryContent query={endpoints}>
        {(data) =>
          data.length === 0 ? (
            <Panel>
              <EmptyMessage
                icon={<WebhookIcon size={32} aria-hidden />}
                title={messages.none}
                hint={messages.noneHint}
              />
            </Panel>
          ) : (
            <Stack>
              {data.map((endpoint) => (
                <EndpointCard key={endpoint.id} endpoint={endpoint} showSecret={showSecret} />
              ))}
            </Stack>
          )
        }
      </QueryContent>
      {secret !== null && <SecretOnce secret={secret} close={() => showSecret(null)} />}
    </ListPage>
  );
}
