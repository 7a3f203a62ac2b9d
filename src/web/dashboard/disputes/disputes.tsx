import { Button, Group, NativeSelect, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { messages as shared } from '../../ui/messages';
import { PagedList } from '../shared/paged-list';
import { DisputeTable } from './dispute-table';
import { messages } from './messages';
import { disputesQuery, KINDS, STATUSES } from './queries';
import type { DisputeSearch } from './routes';

const route = getRouteApi('/signed-in/disputes');

export function Disputes() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const disputes = useQuery(disputesQuery(search));
  const show = (changed: DisputeSearch) => void navigate({ to: '/disputes', search: changed });
  return (
    <Page title={messages.title} subtitle={messages.subtitle}>
      <Filters search={search} show={show} />
      <PagedList
        query={disputes}
        empty={<EmptyMessage title={messages.none} hint={messages.noneHint} />}
        table={(rows) => <DisputeTable disputes={rows} outdated={disputes.isPlaceholderData} />}
        total={messages.total}
        goTo={(page) => show({ ...search, page })}
      />
    </Page>
  );
}

interface FiltersProps {
  readonly search: DisputeSearch;
  readonly show: (search: DisputeSearch) => void;
}

function Filters({ search: { page: _page, ...chosen }, show }: FiltersProps) {
  const { status, kind, ...others } = chosen;
  const any = { value: '', label: shared.any };
  return (
    <Group gap="sm" align="flex-end">
      <NativeSelect
        label={messages.status}
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const picked = STATUSES.find((one) => one === value);
          show({ ...others, ...(kind && { kind }), ...(picked && { status: picked }) });
        }}
        data={[any, ...STATUSES.map((value) => ({ value, label: messages.statuses[value] }))]}
      />
      <NativeSelect
        label={messages.kind}
        value={kind ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const picked = KINDS.find((one) => one === value);
          show({ ...others, ...(status && { status }), ...(picked && { kind: picked }) });
        }}
        data={[any, ...KINDS.map((value) => ({ value, label: messages.kinds[value] }))]}
      />
      <Switch
        mb={8}
        label={messages.lossOnly}
        checked={chosen.loss_to_settle === true}
        onChange={({ currentTarget: { checked } }) => {
          const { loss_to_settle: _loss, ...rest } = chosen;
          show({ ...rest, ...(checked && { loss_to_settle: true as const }) });
        }}
      />
      {Object.keys(chosen).length > 0 && (
        <Button variant="subtle" onClick={() => show({})}>
          {messages.clear}
        </Button>
      )}
    </Group>
  );
}
