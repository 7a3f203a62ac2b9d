import { Button, Checkbox, Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Choice } from '../../ui/forms/choice';
import { messages as shared } from '../../ui/messages';
import { CustomerFilter } from '../customers/customer-filter';
import { planChoicesQuery } from '../plans/queries';
import { messages } from './messages';
import { isFiltered, type SubscriptionSearch } from './search';
import { SUBSCRIPTION_STATUSES, statusLabels } from './status-labels';

interface SubscriptionFiltersProps {
  readonly search: SubscriptionSearch;
  readonly show: (search: SubscriptionSearch) => void;
}

/** Each change applies immediately and returns to the first page. */
export function SubscriptionFilters({ search, show }: SubscriptionFiltersProps) {
  const { data: plans = [] } = useQuery(planChoicesQuery);
  const { page: _page, ...chosen } = search;
  const change = (part: SubscriptionSearch) => show({ ...chosen, ...part });
  return (
    <Group gap="sm" align="flex-end">
      <Choice
        label={messages.status}
        values={SUBSCRIPTION_STATUSES}
        labels={statusLabels}
        value={search.status}
        onChange={(status) => change({ status })}
      />
      <NativeSelect
        label={messages.plan}
        value={search.plan_id ?? ''}
        onChange={({ currentTarget: { value } }) => change({ plan_id: value === '' ? undefined : value })}
        maw="100%"
        data={[
          { value: '', label: shared.any },
          ...plans.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <CustomerFilter token={search.customer} change={(customer) => change({ customer })} />
      <Checkbox
        label={messages.onHold}
        checked={search.charge_on_hold === true}
        onChange={({ currentTarget: { checked } }) => change({ charge_on_hold: checked ? true : undefined })}
      />
      {isFiltered(search) && (
        <Button variant="subtle" onClick={() => show({})}>
          {messages.clear}
        </Button>
      )}
    </Group>
  );
}
