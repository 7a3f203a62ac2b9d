import { Modal, Text } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';
import { QueryContent } from '../../ui/layout/page-states';
import { messages as shared } from '../../ui/messages';
import { messages } from './messages';
import { SessionList } from './session-list';

const sessionsQuery = (id: number) =>
  queryOptions({
    queryKey: ['team', 'sessions', id],
    queryFn: async () =>
      (await unwrapBody(api.GET('/user/company/users/{id}/sessions', { params: { path: { id } } }))).data,
  });

interface MemberSessionsProps {
  readonly member: Pick<Schema<'Member'>, 'id' | 'name'>;
  readonly close: () => void;
}

/** A dialog with the sessions of another user of the company. */
export function MemberSessions({ member: { id, name }, close }: MemberSessionsProps) {
  const sessions = useQuery(sessionsQuery(id));
  const end = (sessionId: string) => {
    const params = { path: { id, session_id: sessionId } };
    return unwrapBody(api.DELETE('/user/company/users/{id}/sessions/{session_id}', { params }));
  };
  return (
    <Modal
      opened
      onClose={close}
      title={messages.of(name)}
      size="lg"
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <QueryContent query={sessions}>
        {(data) =>
          data.length === 0 ? (
            <Text size="sm">{messages.none(name)}</Text>
          ) : (
            <SessionList sessions={data} end={end} reloads={['team']} />
          )
        }
      </QueryContent>
    </Modal>
  );
}
