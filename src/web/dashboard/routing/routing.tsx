import { Button, Fieldset, Stack } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useSuspenseQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import Split from 'lucide-react/icons/split';
import { FormError, setFieldErrors } from '../../ui/forms/form-error';
import { Page } from '../../ui/layout/page';
import { Panel } from '../../ui/layout/panel';
import { EmptyMessage } from '../../ui/layout/page-states';
import { configQuery } from '../session';
import { SaveBar } from '../settings/save-bar';
import { SectionLinks } from '../settings/section-links';
import { useSaveConfig } from '../settings/use-save-config';
import { messages } from './messages';
import { Simulator } from './simulator';
import { RuleEditor } from './rule-editor';
import { RuleTraffic } from './rule-traffic';
import { formOf, newRule, ruleOf, type Rule, type RuleForm } from './rule-form';
import { Allowed, useMay } from '../shared/allowed';

/** Named like the API's field, so that API errors map to form fields. */
export interface RoutingForm {
  routing_rules: RuleForm[];
}

const valuesOf = (rules: readonly Rule[]): RoutingForm => ({ routing_rules: rules.map(formOf) });

export function Routing() {
  const { data: config } = useSuspenseQuery(configQuery);
  const mayChange = useMay('settings:write');
  const form = useForm<RoutingForm>({ initialValues: valuesOf(config.routing_rules) });
  const saving = useSaveConfig({
    onSaved: ({ routing_rules: rules }) => {
      const values = valuesOf(rules);
      form.setInitialValues(values);
      form.setValues(values);
    },
    onFailed: (error) => setFieldErrors(form, error),
  });
  const add = () => form.insertListItem('routing_rules', newRule(messages.newRule, 'gateway_1'));
  const discard = () => {
    form.reset();
    saving.reset();
  };
  return (
    <Page
      title={messages.title}
      subtitle={messages.subtitle}
      actions={
        <Allowed to="settings:write">
          <Button variant="default" leftSection={<Plus size={16} aria-hidden />} onClick={add}>
            {messages.add}
          </Button>
        </Allowed>
      }
    >
      <SectionLinks />
      <form
        onSubmit={form.onSubmit(({ routing_rules: rules }) =>
          saving.mutate({ routing_rules: rules.map(ruleOf) }),
        )}
        noValidate
      >
        <Stack gap="lg">
          <FormError error={saving.error} fields={['routing_rules']} />
          <Fieldset variant="unstyled" m={0} disabled={!mayChange}>
            <Stack gap="lg">
              <Rules form={form} />
            </Stack>
          </Fieldset>
          <SaveBar changed={form.isDirty()} pending={saving.isPending} discard={discard} />
        </Stack>
      </form>
      <RuleTraffic names={config.routing_rules.map(({ name }) => name)} />
      <Simulator rules={form.values.routing_rules.map(ruleOf)} />
    </Page>
  );
}

function Rules({ form }: { readonly form: UseFormReturnType<RoutingForm> }) {
  const { routing_rules: rules } = form.values;
  if (rules.length === 0) {
    return (
      <Panel>
        <EmptyMessage icon={<Split size={32} aria-hidden />} title={messages.none} hint={messages.noneHint} />
      </Panel>
    );
  }
  return rules.map((rule, index) => (
    <RuleEditor key={rule.key} form={form} index={index} isLast={index === rules.length - 1} />
  ));
}
