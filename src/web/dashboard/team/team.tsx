import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { EmptyMessage } from '../../ui/layout/page-states';
import { ListPage } from '../shared/list-page';
import { PagedList } from '../shared/paged-list';
import { Invitations } from './invitations';
import { InviteDialog } from './invite-dialog';
import { MemberTable } from './member-table';
import { messages } from './messages';
import { RequireSecondFactor } from './require-second-factor';
import { membersQuery } from './queries';

const route = getRouteApi('/signed-in/team');

export function Team() {
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const members = useQuery(membersQuery(page));
  const goTo = (next: number) => void navigate({ to: '/team', search: next > 1 ? { page: next } : {} });
  return (
    <ListPage
      title={messages.title}
      subtitle={messages.subtitle}
      add={messages.invite}
      permission="members:write"
      createDialog={(close) => <InviteDialog close={close} />}
    >
      <PagedList
        query={members}
        empty={<EmptyMessage title={messages.users} />}
        table={(rows) => <MemberTable members={rows} />}
        total={messages.total}
        goTo={goTo}
      />
      <Invitations />
      <RequireSecondFactor />
    </ListPage>
  );
}
