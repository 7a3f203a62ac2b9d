import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';
import { errorMessage } from '../../ui/forms/error-messages';
import { Panel } from '../../ui/layout/panel';
import { Allowed } from '../shared/allowed';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import { invitationsQuery, type Invitation } from './queries';

/** Shown only if there are some. */
export function Invitations() {
  const { data = [] } = useQuery(invitationsQuery);
  if (data.length === 0) return null;
  return (
    <Panel title={messages.invitations}>
      <Stack gap="sm">
        {data.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} />
        ))}
      </Stack>
    </Panel>
  );
}

function Row({ invitation }: { readonly invitation: Invitation }) {
  const dates = useDates();
  const { email, role, is_expired: isExpired, expires_at: expiresAt } = invitation;
  return (
    <Group justify="space-between" gap="xs">
      <div style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={550}>
          {email}
        </Text>
        <Text size="xs" c="dimmed">
          {messages.roles[role]} · {isExpired ? messages.expired : messages.validUntil(dates.day(expiresAt))}
        </Text>
      </div>
      <Allowed to="members:write">
        <Actions invitation={invitation} />
      </Allowed>
    </Group>
  );
}

function Actions({ invitation: { id, email } }: { readonly invitation: Invitation }) {
  const params = { path: { id } };
  const resending = useInvitationAction(
    () => unwrapBody(api.POST('/user/company/invitations/{id}/resend', { params })),
    messages.sent,
  );
  const revoking = useInvitationAction(() =>
    unwrapBody(api.DELETE('/user/company/invitations/{id}', { params })),
  );
  return (
    <Group gap="xs">
      <Button
        size="xs"
        variant="default"
        loading={resending.isPending}
        aria-label={messages.resendOf(email)}
        onClick={() => resending.mutate()}
      >
        {messages.resend}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={revoking.isPending}
        aria-label={messages.revokeOf(email)}
        onClick={() => revoking.mutate()}
      >
        {messages.revoke}
      </Button>
    </Group>
  );
}

function useInvitationAction(run: () => Promise<unknown>, success?: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: run,
    onSuccess: () => {
      if (success !== undefined) notifications.show({ color: 'teal', message: success });
    },
    onError: (error) => void notifications.show({ color: 'red', message: errorMessage(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['team'] }),
  });
}
