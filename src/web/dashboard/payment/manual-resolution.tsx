import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Suspense, useState } from 'react';
import type { Schema } from '../../api/client';
import { useDates } from '../shared/use-dates';
import { ResolveDialog } from './lazy-dialogs';
import { messages } from './messages';
import type { UserPayment } from './queries';
import { resolutionQuestion } from './resolution-labels';
import { Allowed } from '../shared/allowed';

interface ManualResolutionProps {
  readonly data: UserPayment;
  readonly request: Schema<'ManualReviewQuestion'>;
}

/** Asks the operator about an operation with an unknown outcome. */
export function ManualResolution({ data, request }: ManualResolutionProps) {
  const dates = useDates();
  const question = resolutionQuestion(request, data);
  const isFound = data.attempts.some(
    ({ id, purpose }) => id === request.attempt_id && purpose === 'external',
  );
  const [resolving, setResolving] = useState(false);
  return (
    <Alert color="orange" icon={<TriangleAlert aria-hidden />} title={messages.review}>
      <Group justify="space-between" align="flex-end">
        <Stack gap={2}>
          <Text size="sm">{question}</Text>
          <Text size="xs" c="dimmed">
            {messages.reviewSince(dates.minute(request.since))}
          </Text>
        </Stack>
        <Allowed to="payments:write">
          <Button onClick={() => setResolving(true)}>{messages.resolve}</Button>
        </Allowed>
      </Group>
      {resolving && (
        <Suspense>
          <ResolveDialog
            payment={data.payment}
            request={request}
            question={question}
            isFound={isFound}
            close={() => setResolving(false)}
          />
        </Suspense>
      )}
    </Alert>
  );
}
