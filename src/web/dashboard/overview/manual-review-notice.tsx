import { Alert, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { ButtonLink } from '../shared/links';
import { messages } from './messages';
import { manualReviewQuery } from './queries';

/** Number of payments that need manual review; hidden when there are none. */
export function ManualReviewNotice() {
  const { data: waiting = 0 } = useQuery(manualReviewQuery);
  if (waiting === 0) return null;
  return (
    <Alert color="orange" icon={<TriangleAlert aria-hidden />} title={messages.review(waiting)}>
      <Group justify="space-between">
        <Text size="sm">{messages.reviewHint}</Text>
        <ButtonLink to="/payments" search={{ stuck: true }} size="xs" variant="default">
          {messages.reviewLink}
        </ButtonLink>
      </Group>
    </Alert>
  );
}
