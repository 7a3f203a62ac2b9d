import { Table, Text } from '@mantine/core';
import { useMe } from '../session';
import { useDates } from '../shared/use-dates';
import { MemberMenu } from './member-menu';
import { messages } from './messages';
import type { Member } from './queries';

export function MemberTable({ members }: { readonly members: readonly Member[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.name}</Table.Th>
          <Table.Th scope="col">{messages.role}</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {messages.lastSeen}
          </Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {members.map((member) => (
          <Row key={member.id} member={member} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ member }: { readonly member: Member }) {
  const dates = useDates();
  const me = useMe();
  const { id, name, email, role, last_seen_at: lastSeen, two_factor: hasSecondFactor } = member;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={550} lineClamp={2}>
          {name}
          {id === me.id && <> ({messages.you})</>}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {email}
          {hasSecondFactor && <> · {messages.withSecondFactor}</>}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm">{messages.roles[role]}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Text size="sm">{lastSeen === null ? messages.never : dates.minute(lastSeen)}</Text>
      </Table.Td>
      <Table.Td ta="right">
        <MemberMenu member={member} />
      </Table.Td>
    </Table.Tr>
  );
}
