import { FileInput, NativeSelect, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { unwrapBody, api, type Schema } from '../../api/client';
import { FormDialog } from '../../ui/forms/form-dialog';
import { messages } from './messages';
import type { EvidenceKind } from './queries';

type FileType = Schema<'EvidenceFileType'>;

const TEXTS: readonly EvidenceKind[] = [
  'explanation',
  'product_description',
  'customer_communication',
  'shipping_carrier',
  'shipping_tracking_number',
  'shipping_date',
  'service_date',
  'refund_refusal_explanation',
  'cancellation_rebuttal',
  'access_activity_log',
];
const FILES: readonly EvidenceKind[] = [
  'receipt',
  'customer_communication',
  'customer_signature',
  'shipping_documentation',
  'service_documentation',
  'refund_policy',
  'cancellation_policy',
  'other',
];
const FILE_TYPES: readonly FileType[] = ['application/pdf', 'image/jpeg', 'image/png'];

/** What an option of the choice stands for: a kind as a text or as a file. */
const OPTIONS = [
  ...TEXTS.map((kind) => ({ value: `text:${kind}`, kind, isFile: false })),
  ...FILES.map((kind) => ({ value: `file:${kind}`, kind, isFile: true })),
];

interface EvidenceForm {
  kind: string;
  text: string;
  file: File | null;
}

interface EvidenceDialogProps {
  readonly disputeId: string;
  readonly close: () => void;
}

export function EvidenceDialog({ disputeId, close }: EvidenceDialogProps) {
  const form = useForm<EvidenceForm>({ initialValues: { kind: 'text:explanation', text: '', file: null } });
  const option = OPTIONS.find(({ value }) => value === form.values.kind);
  const fileErrors = ['file', 'file.content', 'file.content_type', 'file.name'].map(
    (name) => form.errors[name],
  );
  return (
    <FormDialog
      title={messages.add}
      action={messages.add}
      form={form}
      save={(values) => save(disputeId, values)}
      success={messages.added}
      reloads={['disputes']}
      close={close}
    >
      <NativeSelect
        {...form.getInputProps('kind')}
        label={messages.what}
        data={OPTIONS.map(({ value, kind, isFile }) => ({
          value,
          label: `${messages.evidenceKinds[kind]} (${(isFile ? messages.file : messages.text).toLowerCase()})`,
        }))}
      />
      {option?.isFile === true ? (
        <FileInput
          {...form.getInputProps('file')}
          error={fileErrors.find((error) => error !== undefined)}
          label={messages.file}
          description={messages.fileHint}
          placeholder={messages.choose}
          accept={FILE_TYPES.join(',')}
          required
        />
      ) : (
        <Textarea
          {...form.getInputProps('text')}
          label={messages.text}
          required
          autosize
          minRows={4}
          maxRows={14}
          maxLength={20_000}
        />
      )}
    </FormDialog>
  );
}

async function save(id: string, { kind: chosen, text, file }: EvidenceForm): Promise<void> {
  const { kind = 'explanation', isFile = false } = OPTIONS.find(({ value }) => value === chosen) ?? {};
  const body = isFile ? { kind, file: await encoded(file) } : { kind, text };
  await unwrapBody(api.POST('/user/disputes/{id}/evidence', { params: { path: { id } }, body }));
}

/** Without a file the API names what is missing. */
async function encoded(file: File | null): Promise<Schema<'EvidenceRequest'>['file']> {
  if (file === null) return { name: '', content_type: 'application/pdf', content: '' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += 30_000)
    parts.push(btoa(String.fromCharCode(...bytes.subarray(start, start + 30_000))));
  const type = FILE_TYPES.find((one) => one === file.type) ?? 'application/pdf';
  return { name: file.name, content_type: type, content: parts.join('') };
}
