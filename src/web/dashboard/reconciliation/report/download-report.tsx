import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import Download from 'lucide-react/icons/download';
import { errorMessage } from '../../../ui/forms/error-messages';
import { downloadCsv } from '../../exports/download-csv';
import { DELIMITER, saveFile } from '../../exports/save-file';
import { messages } from './messages';

/** Downloads the rows of the report, as the page shows them, as CSV. */
export function DownloadReport({ month }: { readonly month: string }) {
  const downloading = useMutation({
    mutationFn: () =>
      downloadCsv({
        path: '/user/reports/monthly/csv',
        query: { month, delimiter: DELIMITER },
        signal: new AbortController().signal,
        onRows: () => undefined,
      }),
    onSuccess: (file) => saveFile(file, `report-${month}.csv`),
    onError: (error) => notifications.show({ color: 'red', message: errorMessage(error) }),
  });
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} aria-hidden />}
      loading={downloading.isPending}
      onClick={() => downloading.mutate()}
    >
      {messages.download}
    </Button>
  );
}
