import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Package from 'lucide-react/icons/package';
import { EmptyMessage } from '../../ui/layout/page-states';
import { ListPage } from '../shared/list-page';
import { PagedList } from '../shared/paged-list';
import { messages } from './messages';
import { PlanDialog } from './plan-dialog';
import { PlanTable } from './plan-table';
import { plansQuery } from './queries';

const route = getRouteApi('/signed-in/plans');

export function Plans() {
  const { page = 1 } = route.useSearch();
  const navigate = useNavigate();
  const plans = useQuery(plansQuery(page));
  const goTo = (next: number) => void navigate({ to: '/plans', search: next > 1 ? { page: next } : {} });
  return (
    <ListPage
      title={messages.title}
      subtitle={messages.subtitle}
      add={messages.add}
      permission="catalog:write"
      createDialog={(close) => <PlanDialog close={close} />}
    >
      <PagedList
        query={plans}
        empty={
          <EmptyMessage
            icon={<Package size={32} aria-hidden />}
            title={messages.none}
            hint={messages.noneHint}
          />
        }
        table={(rows) => <PlanTable plans={rows} />}
        total={messages.total}
        goTo={goTo}
      />
    </ListPage>
  );
}
