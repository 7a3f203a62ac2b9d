import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { useState } from 'react';
import type { Schema } from '../../api/client';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import type { UserPayment } from './queries';
import { questionWords } from './resolution-labels';
import { ResolveDialog } from './resolve-dialog';

interface DeskProps {
  readonly data: UserPayment;
  readonly question: Schema<'DeskQuestion'>;
}

/** The question that only a person can answer. */
export function Desk({ data, question }: DeskProps) {
  const dates = useDates();
  const asked = questionWords(question, data);
  const [answering, setAnswering] = useState(false);
  return (
    <Alert color="orange" icon={<TriangleAlert aria-hidden />} title={messages.deskTitle}>
      <Group justify="space-between" align="flex-end">
        <Stack gap={2}>
          <Text size="sm">{asked}</Text>
          <Text size="xs" c="dimmed">
            {messages.deskSince(dates.minute(question.since))}
          </Text>
        </Stack>
        <Button onClick={() => setAnswering(true)}>{messages.answerIt}</Button>
      </Group>
      {answering && (
        <ResolveDialog
          payment={data.payment}
          question={question}
          asked={asked}
          close={() => setAnswering(false)}
        />
      )}
    </Alert>
  );
}
