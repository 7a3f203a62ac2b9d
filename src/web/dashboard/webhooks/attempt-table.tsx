import { Code, Table } from '@mantine/core';
import { count } from '../../ui/formats';
import { language } from '../../ui/language';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { Delivery } from './queries';

export function AttemptTable({ attempts }: Pick<Delivery, 'attempts'>) {
  const dates = useDates();
  if (attempts.length === 0) return null;
  return (
    <Table.ScrollContainer minWidth={240} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table horizontalSpacing="xs" fz="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{messages.attempt}</Table.Th>
            <Table.Th scope="col">{messages.when}</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              {messages.duration}
            </Table.Th>
            <Table.Th scope="col">{messages.response}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {attempts.map((attempt) => (
            <Table.Tr key={attempt.number}>
              <Table.Td>{attempt.number}</Table.Td>
              <Table.Td>{dates.second(attempt.started_at)}</Table.Td>
              <Table.Td visibleFrom="sm">{count(attempt.duration_ms)} ms</Table.Td>
              <Table.Td>
                {attempt.status_code ?? (language === 'en' ? attempt.error : null) ?? messages.noResponse}
                {attempt.response_excerpt !== null && attempt.response_excerpt !== '' && (
                  <Code block fz="xs" mt={4}>
                    {attempt.response_excerpt}
                  </Code>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
