import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import Package from 'lucide-react/icons/package';
import Plus from 'lucide-react/icons/plus';
import { useState } from 'react';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
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
  const [creating, setCreating] = useState(false);
  const goTo = (next: number) => void navigate({ to: '/plans', search: next > 1 ? { page: next } : {} });
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
      {creating && <PlanDialog close={() => setCreating(false)} />}
    </Page>
  );
}
