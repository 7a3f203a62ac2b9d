import { NumberInput, Select, SimpleGrid, Switch, TagsInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Panel } from '../../ui/layout/panel';
import type { ConfigForm } from './config-form';
import { listError } from '../../ui/forms/list-error';
import { messages } from './messages';

const ZONES = Intl.supportedValuesOf('timeZone');

export function PaymentsPanel({ form }: { readonly form: UseFormReturnType<ConfigForm> }) {
  const zones = ZONES.includes(form.values.timezone) ? ZONES : [form.values.timezone, ...ZONES];
  return (
    <Panel title={messages.payments}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <Select
          {...form.getInputProps('timezone')}
          label={messages.timezone}
          description={messages.timezoneHint}
          data={zones}
          searchable
          allowDeselect={false}
          limit={100}
        />
        <TagsInput
          {...form.getInputProps('dunning_days')}
          error={listError(form.errors, 'dunning_days')}
          label={messages.dunning}
          description={messages.dunningHint}
          placeholder={messages.addDay}
          inputMode="numeric"
          maxTags={6}
        />
        <NumberInput
          {...form.getInputProps('pix_expires_in')}
          label={messages.pixExpires}
          description={messages.defaultHint}
          suffix={` ${messages.minutes}`}
          allowNegative={false}
        />
        <NumberInput
          {...form.getInputProps('billet_due_days')}
          label={messages.boletoDue}
          description={messages.defaultHint}
          suffix={` ${messages.businessDays}`}
          allowNegative={false}
          allowDecimal={false}
        />
        <Select
          {...form.getInputProps('disputes.pause_subscription')}
          label={messages.pauseSubscription}
          description={messages.pauseSubscriptionHint}
          data={(['never', 'opened', 'lost'] as const).map((value) => ({
            value,
            label: messages.pauseFrom[value],
          }))}
          allowDeselect={false}
        />
        <Switch
          {...form.getInputProps('send_receipts', { type: 'checkbox' })}
          label={messages.receipts}
          description={messages.receiptsHint}
        />
      </SimpleGrid>
    </Panel>
  );
}
