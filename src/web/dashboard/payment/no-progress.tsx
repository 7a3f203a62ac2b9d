import { Alert, Stack, Text } from '@mantine/core';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';

interface NoProgressProps {
  /** ISO instant of the start of the manual review. */
  readonly since: string;
}

/** Says that the service cannot process the payment, so that the operator has nothing to decide. */
export function NoProgress({ since }: NoProgressProps) {
  const dates = useDates();
  return (
    <Alert color="orange" icon={<TriangleAlert aria-hidden />} title={messages.review}>
      <Stack gap={2}>
        <Text size="sm">{messages.noProgress}</Text>
        <Text size="xs" c="dimmed">
          {messages.reviewSince(dates.minute(since))}
        </Text>
      </Stack>
    </Alert>
  );
}
