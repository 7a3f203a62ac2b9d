import { Table, Text } from '@mantine/core';
import CircleCheck from 'lucide-react/icons/circle-check';
import { count } from '../../ui/formats';
import { messages as shared } from '../../ui/messages';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { declineLabel } from './decline-labels';
import { messages } from './messages';
import type { Dashboard } from './queries';
import { ShareBar } from './share-bar';

export function DeclineReasons({
  dashboard: { decline_reasons: reasons },
}: {
  readonly dashboard: Dashboard;
}) {
  const maxCount = Math.max(...reasons.map((reason) => reason.count));
  return (
    <Panel title={messages.reasons} flush={reasons.length > 0}>
      {reasons.length === 0 ? (
        <EmptyMessage icon={<CircleCheck size={28} aria-hidden />} title={shared.none} />
      ) : (
        <Table verticalSpacing="xs" horizontalSpacing="lg">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{messages.reason}</Table.Th>
              <Table.Th scope="col" ta="right" colSpan={2}>
                {messages.declined}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {reasons.map((reason) => (
              <Table.Tr key={`${reason.code} ${reason.message}`}>
                <Table.Td>
                  <Text size="sm">{declineLabel(reason) ?? messages.noReason}</Text>
                  {reason.code !== '' && (
                    <Text size="xs" c="dimmed">
                      {reason.code}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td w="35%">
                  <ShareBar share={reason.count / maxCount} bad />
                </Table.Td>
                <Table.Td ta="right" fw={600}>
                  {count(reason.count)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Panel>
  );
}
