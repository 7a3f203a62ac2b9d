import { queryOptions, useQuery } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';
import { Panel } from '../../ui/layout/panel';
import { QueryContent } from '../../ui/layout/page-states';
import { messages } from './messages';
import { SessionList } from './session-list';

const sessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async () => (await unwrapBody(api.GET('/user/me/sessions'))).data,
});

const endSession = (id: string) =>
  unwrapBody(api.DELETE('/user/me/sessions/{session_id}', { params: { path: { session_id: id } } }));

export function OwnSessions() {
  const sessions = useQuery(sessionsQuery);
  return (
    <Panel title={messages.own}>
      <QueryContent query={sessions}>
        {(data) => <SessionList sessions={data} end={endSession} reloads={sessionsQuery.queryKey} />}
      </QueryContent>
    </Panel>
  );
}
