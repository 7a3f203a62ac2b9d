import { ActionIcon, Fieldset, Group, SegmentedControl, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import Trash2 from 'lucide-react/icons/trash-2';
import { ReorderButtons } from '../../ui/forms/reorder-buttons';
import { Panel } from '../../ui/layout/panel';
import { ConditionFields } from './condition-fields';
import { GatewayList } from './gateway-list';
import { GatewayShares } from './gateway-shares';
import { messages } from './messages';
import { ruleOf } from './rule-form';
import { ruleSummary } from './rule-summary';
import type { RoutingForm } from './routing';

interface RuleEditorProps {
  readonly form: UseFormReturnType<RoutingForm>;
  readonly index: number;
  readonly isLast: boolean;
}

export function RuleEditor({ form, index, isLast }: RuleEditorProps) {
  const rule = form.values.routing_rules[index];
  if (rule === undefined) return null;
  const path = `routing_rules.${index}` as const;
  const move = (by: number) => () => form.reorderListItem('routing_rules', { from: index, to: index + by });
  return (
    <Panel
      title={messages.rule(index + 1)}
      subtitle={ruleSummary(ruleOf(rule))}
      actions={
        <Group gap={2}>
          <ReorderButtons
            name={rule.name}
            up={index === 0 ? null : move(-1)}
            down={isLast ? null : move(1)}
          />
          <ActionIcon
            variant="subtle"
            color="red"
            onClick={() => form.removeListItem('routing_rules', index)}
            aria-label={messages.removeRule(rule.name)}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </Group>
      }
    >
      <Stack>
        <TextInput
          {...form.getInputProps(`${path}.name`)}
          label={messages.name}
          description={messages.nameHint}
          maxLength={100}
          required
        />
        <ConditionFields form={form} index={index} />
        <Fieldset legend={messages.target}>
          <Stack gap="sm" align="flex-start">
            <SegmentedControl
              {...form.getInputProps(`${path}.kind`)}
              aria-label={messages.target}
              data={[
                { value: 'gateways', label: messages.list },
                { value: 'split', label: messages.split },
              ]}
            />
            {rule.kind === 'gateways' ? (
              <GatewayList form={form} index={index} />
            ) : (
              <GatewayShares form={form} index={index} />
            )}
          </Stack>
        </Fieldset>
      </Stack>
    </Panel>
  );
}
