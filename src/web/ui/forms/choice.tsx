import { NativeSelect } from '@mantine/core';
import { messages } from '../messages';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly labels?: Readonly<Record<Value, string>>;
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

/** A select with an option for any value. */
export function Choice<Value extends string>({ label, values, labels, value, onChange }: ChoiceProps<Value>) {
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(values.find((item) => item === currentTarget.value))}
      data={[
        { value: '', label: messages.any },
        ...values.map((item) => ({ value: item, label: labels?.[item] ?? item })),
      ]}
    />
  );
}
