import {
  Button,
  FileInput,
  Group,
  Modal,
  NativeSelect,
  Progress,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { setFieldErrors } from '../../../ui/forms/form-error';
import { percent } from '../../../ui/formats';
import { messages as shared } from '../../../ui/messages';
import { GATEWAYS, type GatewaySlug } from '../../payments/status-labels';
import { dayIn } from '../../shared/days';
import { messages as reconciliation } from '../messages';
import { messages } from './messages';
import { UploadError } from './upload-error';
import { MAX_FILE_BYTES, uploadStatement } from './upload-statement';

/** Days of statements are days in Brazil's official time, whatever the company's time zone is. */
const STATEMENT_TIME_ZONE = 'America/Sao_Paulo';
const DAY_MS = 86_400_000;

interface UploadForm {
  gateway: GatewaySlug;
  day: string;
  file: File | null;
}

interface UploadDialogProps {
  /** The one that the list shows. */
  readonly gateway: GatewaySlug | undefined;
  readonly close: () => void;
}

/** Sends the statement of one gateway and day, and then opens it. Closing the dialog stops the upload. */
export function UploadDialog({ gateway = GATEWAYS[0], close }: UploadDialogProps) {
  const yesterday = dayIn(STATEMENT_TIME_ZONE, new Date(Date.now() - DAY_MS));
  const form = useForm<UploadForm>({
    initialValues: { gateway, day: yesterday, file: null },
    validate: {
      day: (day) => (day === '' ? messages.dayMissing : null),
      file: (file) => fileProblem(file),
    },
  });
  const { uploading, sent } = useUpload(close, (error) => setFieldErrors(form, error));
  return (
    <Modal
      opened
      onClose={close}
      title={messages.upload}
      size="lg"
      closeButtonProps={{ 'aria-label': shared.close }}
    >
      <form onSubmit={form.onSubmit((values) => uploading.mutate(values))} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {messages.uploadHint}
          </Text>
          <UploadError error={uploading.error} />
          <NativeSelect
            {...form.getInputProps('gateway')}
            label={reconciliation.gateway}
            data={[...GATEWAYS]}
            disabled={uploading.isPending}
          />
          <TextInput
            {...form.getInputProps('day')}
            type="date"
            label={reconciliation.day}
            required
            disabled={uploading.isPending}
          />
          <FileInput
            {...form.getInputProps('file')}
            label={messages.file}
            description={messages.fileHint}
            placeholder={messages.choose}
            accept=".csv,text/csv"
            required
            disabled={uploading.isPending}
          />
          {uploading.isPending && <UploadProgress share={sent} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {uploading.isPending ? messages.stop : shared.back}
            </Button>
            <Button type="submit" loading={uploading.isPending}>
              {messages.send}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function UploadProgress({ share }: { readonly share: number }) {
  const label = share < 1 ? messages.progress(percent(share)) : messages.storing;
  return (
    <Stack gap={4}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {label}
      </Text>
      <Progress value={100 * share} animated={share >= 1} aria-label={label} />
    </Stack>
  );
}

function useUpload(close: () => void, onError: (error: unknown) => void) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [sent, setSent] = useState(0);
  const controller = useRef<AbortController>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const uploading = useMutation({
    mutationFn: ({ gateway, day, file }: UploadForm) => {
      if (file === null) throw new Error('the form demands a file');
      controller.current = new AbortController();
      setSent(0);
      return uploadStatement({ gateway, day, file, signal: controller.current.signal, onProgress: setSent });
    },
    onSuccess: ({ id, isNew }) => {
      notifications.show({ color: 'teal', message: isNew ? messages.uploaded : messages.repeated });
      close();
      void navigate({ to: '/reconciliation/statements/$id', params: { id } });
    },
    onError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['reconciliation'] }),
  });
  return { uploading, sent };
}

function fileProblem(file: File | null): string | null {
  if (file === null) return messages.fileMissing;
  return file.size > MAX_FILE_BYTES ? messages.tooLarge : null;
}
