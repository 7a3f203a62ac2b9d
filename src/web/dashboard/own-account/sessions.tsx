import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { errorMessage } from '../../ui/forms/error-messages';
import { Panel } from '../../ui/layout/panel';
import { QueryContent } from '../../ui/layout/page-states';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';

const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async () => (await unwrapBody(api.GET('/user/me/sessions'))).data,
});

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  return (
    <Panel title={messages.sessions}>
      <QueryContent query={sessions}>
        {(data) => (
          <Stack gap="sm">
            {data.map((session) => (
              <Row key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </QueryContent>
    </Panel>
  );
}

function Row({ session }: { readonly session: Schema<'UserSession'> }) {
  const dates = useDates();
  const { id, network, is_current: isCurrent, created_at: createdAt, last_seen_at: lastSeen } = session;
  const device = session.device ?? messages.unknownDevice;
  const queryClient = useQueryClient();
  const ending = useMutation({
    mutationFn: () =>
      unwrapBody(api.DELETE('/user/me/sessions/{session_id}', { params: { path: { session_id: id } } })),
    onError: (error) => void notifications.show({ color: 'red', message: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const facts = [
    network,
    messages.signedIn(dates.minute(createdAt)),
    lastSeen !== null && messages.lastSeen(dates.minute(lastSeen)),
  ];
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={550}>
          {device}
        </Text>
        <Text size="xs" c="dimmed">
          {facts.filter(Boolean).join(' · ')}
        </Text>
      </div>
      {isCurrent ? (
        <Badge tone="good">{messages.current}</Badge>
      ) : (
        <Button
          size="xs"
          variant="default"
          loading={ending.isPending}
          aria-label={messages.endOf(device)}
          onClick={() => ending.mutate()}
        >
          {messages.end}
        </Button>
      )}
    </Group>
  );
}
