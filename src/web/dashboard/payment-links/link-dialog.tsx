import { SegmentedControl, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FormDialog } from '../../ui/forms/form-dialog';
import { useSuspenseQuery } from '@tanstack/react-query';
import { messages as shared } from '../../ui/messages';
import { InstallmentFields } from '../shared/installment-fields';
import { configQuery, useTimeZone } from '../session';
import { LimitFields, MoneyFields, PlanField, RedirectFields } from './link-fields';
import { acceptsInstallments, formOf, NEW_LINK, saveLink, type LinkForm } from './link-form';
import { messages } from './messages';
import type { PaymentLink } from './queries';

interface LinkDialogProps {
  /** The link to edit; undefined to create one. */
  readonly link?: PaymentLink;
  readonly close: () => void;
  /** Called with the new link. */
  readonly onCreated?: (link: PaymentLink) => void;
}

export function LinkDialog({ link, close, onCreated }: LinkDialogProps) {
  const timeZone = useTimeZone();
  const { data: config } = useSuspenseQuery(configQuery);
  const before = link === undefined ? NEW_LINK : formOf(link, timeZone);
  const form = useForm<LinkForm>({ initialValues: before });
  const save = async (values: LinkForm) => {
    const saved = await saveLink({ link, before, form: values, timeZone });
    if (link === undefined) onCreated?.(saved);
  };
  return (
    <FormDialog
      title={link === undefined ? messages.add : messages.editTitle}
      action={link === undefined ? shared.create : shared.save}
      form={form}
      save={save}
      success={shared.saved}
      reloads={['payment-links']}
      close={close}
    >
      {link === undefined ? (
        <SegmentedControl
          {...form.getInputProps('type')}
          aria-label={messages.type}
          data={[
            { value: 'one_time', label: messages.oneTime },
            { value: 'subscription', label: messages.subscription },
          ]}
        />
      ) : (
        <Text size="xs" c="dimmed">
          {messages.fixedNote}
        </Text>
      )}
      <TextInput
        {...form.getInputProps('name')}
        label={messages.name}
        description={messages.nameHint}
        required
        maxLength={255}
        data-autofocus
      />
      <Textarea
        {...form.getInputProps('description')}
        label={`${messages.description} (${shared.optional})`}
        autosize
        maxLength={1000}
      />
      {form.values.type === 'one_time' ? (
        <MoneyFields form={form} isNew={link === undefined} />
      ) : (
        link === undefined && <PlanField form={form} />
      )}
      {acceptsInstallments(form.values) && (
        <InstallmentFields
          terms={form.values}
          change={form.setValues}
          errors={form.errors}
          company={config}
        />
      )}
      <LimitFields form={form} />
      <RedirectFields form={form} />
    </FormDialog>
  );
}
