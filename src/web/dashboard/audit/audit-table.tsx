import { Table, Text } from '@mantine/core';
import { useDates } from '../shared/use-dates';
import classes from './audit.module.css';
import { Changes } from './changes';
import { actionLabel, authorOf, messages } from './messages';
import type { AuditEntry } from './queries';
import { SubjectLink } from './subject-link';

export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  return (
    <Table className={classes.table} verticalSpacing="sm" horizontalSpacing="lg">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.when}</Table.Th>
          <Table.Th scope="col">{messages.action}</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {messages.changes}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map((entry) => (
          <Row key={entry.id} entry={entry} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ entry }: { readonly entry: AuditEntry }) {
  const dates = useDates();
  return (
    <Table.Tr>
      <Table.Td className={classes.when}>
        <Text size="xs" component="time" dateTime={entry.at} hiddenFrom="sm">
          {dates.short(entry.at)}
        </Text>
        <Text size="sm" component="time" dateTime={entry.at} visibleFrom="sm">
          {dates.second(entry.at)}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1} className={classes.long}>
          {authorOf(entry)}
        </Text>
        {Object.keys(entry.changes).length > 0 && (
          <details className={classes.folded}>
            <summary>{messages.changes}</summary>
            <Changes changes={entry.changes} />
          </details>
        )}
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={550} lineClamp={2}>
          {actionLabel(entry.action)}
        </Text>
        <SubjectLink subject={entry.subject} />
      </Table.Td>
      <Table.Td visibleFrom="md" className={classes.changes}>
        <Changes changes={entry.changes} />
      </Table.Td>
    </Table.Tr>
  );
}
