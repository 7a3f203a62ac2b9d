import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import CircleCheck from 'lucide-react/icons/circle-check';
import Scale from 'lucide-react/icons/scale';
import { count, day } from '../../ui/formats';
import { TextLink } from '../shared/links';
import { reconciledQuery } from './queries';
import { reconciled } from './reconciled-messages';

/** Until which day every cent is explained, and what is not; hidden while there is no statement. */
export function ReconciledNotice() {
  const { data: state = null } = useQuery(reconciledQuery);
  if (state === null) return null;
  const { until, open } = state;
  const Icon = until === null ? Scale : CircleCheck;
  return (
    <Group gap="xs">
      <Icon size={18} aria-hidden color={`var(--mantine-color-${until === null ? 'gray-6' : 'teal-8'})`} />
      <Text size="sm" fw={550}>
        {until === null ? reconciled.notYet : reconciled.until(day(until, 'long'))}
      </Text>
      {open > 0 && (
        <TextLink to="/reconciliation/differences" search={{ status: 'open' }} fz="sm" underline="always">
          {reconciled.openCount(open, count(open))}
        </TextLink>
      )}
    </Group>
  );
}
