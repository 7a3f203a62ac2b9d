import { Table, Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { count } from '../../ui/formats';
import { ageText } from './age';
import { messages } from './messages';

interface TaskQueuesProps {
  readonly queues: NonNullable<Schema<'SystemStatus'>['task_queues']>;
}

export function TaskQueues({ queues }: TaskQueuesProps) {
  return (
    <Table verticalSpacing="xs" horizontalSpacing="lg">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.queue}</Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.waiting}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.oldest}
          </Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="sm">
            {messages.perSecond}
          </Table.Th>
          <Table.Th scope="col" ta="right" visibleFrom="sm">
            {messages.pollers}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {queues.map(({ queue, tasks, waiting, oldest_age_seconds: age, added_per_second: rate, pollers }) => (
          <Table.Tr key={`${queue} ${tasks}`}>
            <Table.Td>
              {messages.queueNames[queue]}
              <Text size="xs" c="dimmed">
                {messages.taskNames[tasks]}
              </Text>
            </Table.Td>
            <Table.Td ta="right">{count(waiting)}</Table.Td>
            <Table.Td ta="right">{waiting === 0 ? '–' : ageText(age)}</Table.Td>
            <Table.Td ta="right" visibleFrom="sm">
              {count(Math.round(rate * 10) / 10)}
            </Table.Td>
            <Table.Td ta="right" visibleFrom="sm">
              {count(pollers)}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
