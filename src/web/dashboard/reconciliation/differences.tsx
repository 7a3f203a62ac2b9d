import { Button, Group, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Choice } from '../../ui/forms/choice';
import { Page } from '../../ui/layout/page';
import { EmptyMessage } from '../../ui/layout/page-states';
import { GATEWAYS } from '../payments/status-labels';
import { TextLink } from '../shared/links';
import { PagedList } from '../shared/paged-list';
import { DifferenceTable } from './difference-table';
import { DIFFERENCE_KINDS, DIFFERENCE_STATUSES, differenceLabels, differenceStatusLabels } from './labels';
import { messages } from './messages';
import { differencesQuery } from './queries';
import type { DifferenceSearch } from './routes';
import { SectionLinks } from './section-links';

const route = getRouteApi('/signed-in/reconciliation/differences');

export function Differences() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const differences = useQuery(differencesQuery(search));
  const show = (changed: DifferenceSearch) =>
    void navigate({ to: '/reconciliation/differences', search: changed });
  return (
    <Page title={messages.differences} subtitle={messages.differencesHint}>
      <SectionLinks />
      <Filters search={search} show={show} />
      <PagedList
        query={differences}
        empty={<EmptyMessage title={messages.noDifferences} hint={messages.noDifferencesHint} />}
        table={(rows) => <DifferenceTable differences={rows} outdated={differences.isPlaceholderData} />}
        total={messages.totalDifferences}
        goTo={(page) => show({ ...search, page })}
      />
    </Page>
  );
}

interface FiltersProps {
  readonly search: DifferenceSearch;
  readonly show: (search: DifferenceSearch) => void;
}

function Filters({ search: { page: _page, ...chosen }, show }: FiltersProps) {
  const change = (part: DifferenceSearch) => show({ ...chosen, ...part });
  return (
    <Group gap="sm" align="flex-end">
      <Choice
        label={messages.kind}
        values={DIFFERENCE_KINDS}
        labels={differenceLabels}
        value={chosen.kind}
        onChange={(kind) => change({ kind })}
      />
      <Choice
        label={messages.status}
        values={DIFFERENCE_STATUSES}
        labels={differenceStatusLabels}
        value={chosen.status}
        onChange={(status) => change({ status })}
      />
      <Choice
        label={messages.gateway}
        values={GATEWAYS}
        value={chosen.gateway}
        onChange={(gateway) => change({ gateway })}
      />
      <TextInput
        type="date"
        label={messages.day}
        value={chosen.day ?? ''}
        onChange={({ currentTarget: { value } }) => change({ day: value === '' ? undefined : value })}
      />
      {Object.values(chosen).some((value) => value !== undefined) && (
        <Button variant="subtle" onClick={() => show({})}>
          {messages.clear}
        </Button>
      )}
      {chosen.settlement_id !== undefined && (
        <TextLink to="/reconciliation/statements/$id" params={{ id: chosen.settlement_id }} fz="sm" mb={8}>
          {messages.statement}
        </TextLink>
      )}
      {chosen.transaction_id !== undefined && (
        <TextLink to="/payments/$id" params={{ id: chosen.transaction_id }} fz="sm" mb={8}>
          {messages.payment}
        </TextLink>
      )}
    </Group>
  );
}
