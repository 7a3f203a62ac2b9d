import { Group, Table, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { Allowed } from '../shared/allowed';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { ApiKey } from './queries';
import { RevokeButton } from './revoke-button';
import { scopesText } from './scope-labels';

export function ApiKeyTable({ keys }: { readonly keys: readonly ApiKey[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.name}</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {messages.lastUsed}
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {messages.created}
          </Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {keys.map((key) => (
          <Row key={key.id} apiKey={key} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ apiKey }: { readonly apiKey: ApiKey }) {
  const dates = useDates();
  const { name, mode, scopes, created_at: createdAt, last_used_at: lastUsedAt } = apiKey;
  const lastUsed = lastUsedAt === null ? messages.never : dates.minute(lastUsedAt);
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Group gap={6} wrap="nowrap">
          <Text size="sm" fw={550} lineClamp={1}>
            {name}
          </Text>
          <Badge tone={mode === 'live' ? 'good' : 'neutral'}>{messages.modes[mode]}</Badge>
        </Group>
        <Text size="xs" c="dimmed" lineClamp={1} title={scopesText(scopes)}>
          {scopesText(scopes)}
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm" lineClamp={1}>
          {messages.lastUsedAt(lastUsedAt === null ? messages.never : dates.short(lastUsedAt))}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{lastUsed}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{dates.minute(createdAt)}</Text>
      </Table.Td>
      <Table.Td ta="right">
        <Allowed to="api_keys:write">
          <RevokeButton apiKey={apiKey} />
        </Allowed>
      </Table.Td>
    </Table.Tr>
  );
}
