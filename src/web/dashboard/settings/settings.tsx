import { Fieldset, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useSuspenseQuery } from '@tanstack/react-query';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { Page } from '../../ui/layout/page';
import { Panel } from '../../ui/layout/panel';
import { InstallmentFields } from '../shared/installment-fields';
import { messages as installments } from '../shared/installment-messages';
import { configQuery } from '../session';
import { BrandPanel } from './brand-panel';
import { changeOf, formOf, type ConfigForm } from './config-form';
import { messages } from './messages';
import { PaymentsPanel } from './payments-panel';
import { SaveBar } from './save-bar';
import { SectionLinks } from './section-links';
import { useSaveConfig } from './use-save-config';
import { useMay } from '../shared/allowed';

export function Settings() {
  const { data: config } = useSuspenseQuery(configQuery);
  const mayChange = useMay('settings:write');
  const form = useForm<ConfigForm>({ initialValues: formOf(config) });
  const saving = useSaveConfig({
    onSaved: (saved) => {
      form.setInitialValues(formOf(saved));
      form.setValues(formOf(saved));
    },
    onFailed: (error) => setFieldErrors(form, error),
  });
  const discard = () => {
    form.reset();
    saving.reset();
  };
  return (
    <Page title={messages.title}>
      <SectionLinks />
      <form onSubmit={form.onSubmit((values) => saving.mutate(changeOf(values, config)))} noValidate>
        <Stack gap="lg">
          <FormError error={saving.error} fields={Object.keys(form.values)} />
          <Fieldset variant="unstyled" m={0} disabled={!mayChange}>
            <Stack gap="lg">
              <PaymentsPanel form={form} />
              <Panel title={installments.title}>
                <InstallmentFields terms={form.values} change={form.setValues} errors={form.errors} />
              </Panel>
              <BrandPanel form={form} logo={config.brand.logo_url} />
            </Stack>
          </Fieldset>
          <SaveBar changed={form.isDirty()} pending={saving.isPending} discard={discard} />
        </Stack>
      </form>
    </Page>
  );
}
