import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import ArrowLeft from 'lucide-react/icons/arrow-left';
import WebhookIcon from 'lucide-react/icons/webhook';
import type { Schema } from '../../api/client';
import { CopyField } from '../../ui/copy-field';
import { FormError } from '../../ui/forms/form-error';
import { DetailsList } from '../../ui/layout/details-list';
import { Page } from '../../ui/layout/page';
import { EmptyMessage, QueryContent } from '../../ui/layout/page-states';
import { Panel } from '../../ui/layout/panel';
import { Allowed } from '../shared/allowed';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { useTestEndpoint } from '../webhooks/use-endpoint';
import { Content, Headline } from './message';
import { messages } from './messages';
import { receiverQuery, useAddReceiver } from './queries';

/** What the company's receiver at this service has received. */
export function Receiver() {
  const receiver = useQuery(receiverQuery);
  const back = (
    <>
      {messages.subtitle}
      <div>
        <TextLink to="/webhooks" fz="sm">
          <ArrowLeft size={14} aria-hidden className={classes.arrow} /> {messages.back}
        </TextLink>
      </div>
    </>
  );
  return (
    <Page title={messages.title} subtitle={back}>
      <QueryContent query={receiver}>
        {({ endpoint, messages: received }) => (
          <>
            {endpoint === null ? <NoReceiver /> : <Endpoint endpoint={endpoint} />}
            {(endpoint !== null || received.length > 0) && <Received received={received} />}
          </>
        )}
      </QueryContent>
    </Page>
  );
}

function NoReceiver() {
  const adding = useAddReceiver();
  return (
    <Panel>
      <FormError error={adding.error} />
      <EmptyMessage
        icon={<WebhookIcon size={32} aria-hidden />}
        title={messages.none}
        hint={messages.noneHint}
      >
        <Allowed to="webhooks:write">
          <Button loading={adding.isPending} onClick={() => adding.mutate()}>
            {messages.add}
          </Button>
        </Allowed>
      </EmptyMessage>
    </Panel>
  );
}

function Endpoint({ endpoint: { id, url, enabled } }: { readonly endpoint: Schema<'ReceiverEndpoint'> }) {
  const testing = useTestEndpoint(id);
  return (
    <Panel>
      <Stack gap="sm">
        {!enabled && <Alert color="orange">{messages.disabled}</Alert>}
        <CopyField label={messages.address} value={url} />
        <Text size="sm" c="dimmed">
          {messages.secretAddress}
        </Text>
        <Group gap="sm">
          <Allowed to="webhooks:write">
            <Button
              size="xs"
              variant="default"
              disabled={!enabled}
              loading={testing.isPending}
              onClick={() => testing.mutate()}
            >
              {messages.sendTest}
            </Button>
          </Allowed>
          <TextLink to="/webhooks/$id" params={{ id: String(id) }} fz="sm">
            {messages.manage}
          </TextLink>
        </Group>
      </Stack>
    </Panel>
  );
}

function Received({ received }: { readonly received: ReadonlyArray<Schema<'ReceivedWebhook'>> }) {
  if (received.length === 0)
    return (
      <Panel>
        <EmptyMessage title={messages.waiting} hint={messages.waitingHint} />
      </Panel>
    );
  return (
    <Panel title={messages.received} flush>
      <DetailsList
        items={received.map((message) => ({ ...message, id: String(message.id) }))}
        headline={(message) => <Headline message={message} />}
        details={(message) => <Content message={message} />}
      />
    </Panel>
  );
}
