import { Button, Group, NativeSelect } from '@mantine/core';
import { messages as shared } from '../../ui/messages';
import { DELIVERED_EVENTS, DELIVERY_STATUSES, type DeliverySearch } from './delivery-search';
import { messages } from './messages';

interface DeliveryFiltersProps {
  readonly search: DeliverySearch;
  readonly show: (search: DeliverySearch) => void;
}

/** Each change applies immediately and returns to the first page. */
export function DeliveryFilters({ search: { status, event }, show }: DeliveryFiltersProps) {
  const isFiltered = status !== undefined || event !== undefined;
  return (
    <Group gap="xs" align="flex-end" px={{ base: 'md', xs: 'lg' }} py="sm">
      <NativeSelect
        label={messages.status}
        value={status ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show({ event, status: DELIVERY_STATUSES.find((each) => each === value) })
        }
        data={[
          { value: '', label: shared.all },
          ...DELIVERY_STATUSES.map((value) => ({ value, label: messages.statuses[value] })),
        ]}
      />
      <NativeSelect
        label={messages.event}
        value={event ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show({ status, event: DELIVERED_EVENTS.find((each) => each === value) })
        }
        data={[
          { value: '', label: shared.all },
          ...DELIVERED_EVENTS.map((value) => ({ value, label: value })),
        ]}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={() => show({})}>
          {messages.clearFilters}
        </Button>
      )}
    </Group>
  );
}
