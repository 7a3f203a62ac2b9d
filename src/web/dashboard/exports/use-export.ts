import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../ui/forms/error-messages';
import { count } from '../../ui/formats';
import { downloadCsv, type CsvRequest } from './download-csv';
import { messages } from './messages';
import { DELIMITER, saveFile } from './save-file';

export type ExportKind = 'payments' | 'refunds' | 'splits' | 'subscriptions' | 'events';

export interface ExportChoice {
  readonly kind: ExportKind;
  readonly query: CsvRequest['query'];
  /** Rows that the export will have, about; undefined if it is not known. */
  readonly total?: number | undefined;
}

interface RunningExport {
  readonly rows: number;
  readonly total: number | undefined;
}

/** Downloads one whole list at a time as CSV. Leaving the page cancels it. */
export function useExport() {
  const [running, setRunning] = useState<RunningExport | null>(null);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const start = async ({ kind, query, total }: ExportChoice): Promise<void> => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    let received = 0;
    const onRows = (rows: number): void => setRunning({ rows: (received = rows), total });
    onRows(0);
    try {
      const path = `/user/exports/${kind}`;
      const request = { path, query: { ...query, delimiter: DELIMITER }, signal, onRows };
      saveFile(await downloadCsv(request), `${kind}.csv`);
      notifications.show({ color: 'teal', message: messages.done(count(received)) });
    } catch (error) {
      if (!signal.aborted) notifications.show({ color: 'red', message: errorMessage(error) });
    } finally {
      setRunning(null);
    }
  };
  return { running, start, cancel: () => controller.current?.abort() };
}
