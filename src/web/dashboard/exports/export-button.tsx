import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import Download from 'lucide-react/icons/download';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../ui/forms/error-messages';
import { count } from '../../ui/formats';
import { language } from '../../ui/language';
import { downloadCsv, type CsvRequest } from './download-csv';
import { messages } from './messages';
import { useMay } from '../shared/allowed';

interface ExportButtonProps {
  readonly kind: 'payments' | 'subscriptions';
  readonly query: CsvRequest['query'];
  /** Rows that the export will have, about; undefined until the list is loaded. */
  readonly total: number | undefined;
}

/** Spreadsheets in Portuguese expect a semicolon, because the comma is their decimal sign. */
const DELIMITER = language === 'pt' ? 'semicolon' : 'comma';

/** Downloads the whole list as CSV and shows how far it is. Leaving the page cancels it. */
export function ExportButton({ kind, query, total }: ExportButtonProps) {
  const [rows, setRows] = useState<number | null>(null);
  const running = useRef<AbortController>(null);
  const isAllowed = useMay('export');
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    let received = 0;
    const onRows = (now: number): void => setRows((received = now));
    setRows(0);
    try {
      const path = `/user/exports/${kind}`;
      save(
        await downloadCsv({ path, query: { ...query, delimiter: DELIMITER }, signal, onRows }),
        `${kind}.csv`,
      );
      notifications.show({ color: 'teal', message: messages.done(count(received)) });
    } catch (error) {
      if (!signal.aborted) notifications.show({ color: 'red', message: errorMessage(error) });
    } finally {
      setRows(null);
    }
  };
  if (!isAllowed) return null;
  if (rows === null) {
    return (
      <Button
        variant="default"
        leftSection={<Download size={16} aria-hidden />}
        disabled={total === undefined || total === 0}
        onClick={() => void start()}
      >
        {messages.export}
      </Button>
    );
  }
  // Payments may be made meanwhile.
  const expected = Math.max(rows, total ?? 0);
  const label = messages.progress(count(rows), count(expected));
  return (
    <Group gap="sm">
      <Stack gap={4} miw={160}>
        <Text size="sm" c="dimmed" aria-live="polite">
          {label}
        </Text>
        <Progress value={expected === 0 ? 0 : (100 * rows) / expected} aria-label={label} />
      </Stack>
      <Button variant="default" onClick={() => running.current?.abort()}>
        {messages.cancel}
      </Button>
    </Group>
  );
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
