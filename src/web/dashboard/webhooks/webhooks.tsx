import { Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import WebhookIcon from 'lucide-react/icons/webhook';
import { useState } from 'react';
import { Page } from '../../ui/layout/page';
import { Panel } from '../../ui/layout/panel';
import { QueryContent, EmptyMessage } from '../../ui/layout/page-states';
import { EndpointCard } from './endpoint-card';
import { EndpointDialog } from './endpoint-dialog';
import { messages } from './messages';
import { endpointsQuery } from './queries';
import { SecretOnce } from './secret-once';

export function Webhooks() {
  const endpoints = useQuery(endpointsQuery);
  const [creating, setCreating] = useState(false);
  const [secret, showSecret] = useState<string | null>(null);
  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      actions={
        <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          {messages.add}
        </Button>
      }
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
      {creating && <EndpointDialog close={() => setCreating(false)} onCreated={showSecret} />}
      {secret !== null && <SecretOnce secret={secret} close={() => showSecret(null)} />}
    </Page>
  );
}
