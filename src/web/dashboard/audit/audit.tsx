import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import ScrollText from 'lucide-react/icons/scroll-text';
import { messages as shared } from '../../ui/messages';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { PagedList } from '../shared/paged-list';
import { AuditTable } from './audit-table';
import { AUDIT_ACTIONS, actionLabel, messages } from './messages';
import { auditQuery } from './queries';
import type { AuditSearch } from './routes';

const route = getRouteApi('/signed-in/audit');

export function Audit() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const entries = useQuery(auditQuery(search));
  const show = (changed: AuditSearch) => void navigate({ to: '/audit', search: changed });
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Filters search={search} show={show} />
      <PagedList
        query={entries}
        lines={8}
        empty={
          <EmptyMessage
            icon={<ScrollText size={32} aria-hidden />}
            title={messages.noMatch}
            hint={messages.noMatchHint}
          />
        }
        table={(rows) => <AuditTable entries={rows} />}
        total={messages.total}
        goTo={(page) => show({ ...search, page })}
      />
    </Page>
  );
}

interface FiltersProps {
  readonly search: AuditSearch;
  readonly show: (search: AuditSearch) => void;
}

function Filters({ search, show }: FiltersProps) {
  const { page: _page, ...chosen } = search;
  const change = (changed: AuditSearch) => show({ ...chosen, ...changed });
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label={messages.action}
        value={search.action ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ action: AUDIT_ACTIONS.find((item) => item === value) })
        }
        data={[
          { value: '', label: shared.any },
          ...AUDIT_ACTIONS.map((action) => ({ value: action, label: actionLabel(action) })),
        ]}
      />
      <TextInput
        type="date"
        label={messages.from}
        value={search.from ?? ''}
        onChange={({ currentTarget: { value } }) => change({ from: value === '' ? undefined : value })}
      />
      <TextInput
        type="date"
        label={messages.to}
        value={search.to ?? ''}
        onChange={({ currentTarget: { value } }) => change({ to: value === '' ? undefined : value })}
      />
      {Object.keys(chosen).length > 0 && (
        <Button variant="subtle" onClick={() => show({})}>
          {messages.clear}
        </Button>
      )}
    </Group>
  );
}
