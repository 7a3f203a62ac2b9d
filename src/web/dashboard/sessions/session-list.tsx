import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query';
import type { Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { errorMessage } from '../../ui/forms/error-messages';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';

type Session = Schema<'UserSession'>;

interface SessionListProps {
  readonly sessions: readonly Session[];
  /** Throws `RequestError`. */
  readonly end: (sessionId: string) => Promise<unknown>;
  /** Query key to invalidate after a session has ended. */
  readonly reloads: QueryKey;
}

/** A user's sessions, each with a button that ends it; the current one ends by signing out. */
export function SessionList({ sessions, end, reloads }: SessionListProps) {
  return (
    <Stack gap="sm">
      {sessions.map((session) => (
        <Row key={session.id} session={session} end={end} reloads={reloads} />
      ))}
    </Stack>
  );
}

function Row({ session, end, reloads }: Omit<SessionListProps, 'sessions'> & { readonly session: Session }) {
  const dates = useDates();
  const { id, network, is_current: isCurrent, created_at: createdAt, last_seen_at: lastSeen } = session;
  const device = session.device ?? messages.unknownDevice;
  const queryClient = useQueryClient();
  const ending = useMutation({
    mutationFn: () => end(id),
    onSuccess: () => void notifications.show({ color: 'teal', message: messages.ended }),
    onError: (error) => void notifications.show({ color: 'red', message: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: reloads }),
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
