import { NativeSelect } from '@mantine/core';
import { messages } from '../messages';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly words?: Readonly<Record<Value, string>>;
  readonly value: Value | undefined;
  readonly choose: (value: Value | undefined) => void;
}

/** One of several, or any of them. */
export function Choice<Value extends string>({ label, values, words, value, choose }: ChoiceProps<Value>) {
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => choose(values.find((known) => known === currentTarget.value))}
      data={[
        { value: '', label: messages.any },
        ...values.map((known) => ({ value: known, label: words?.[known] ?? known })),
      ]}
    />
  );
}
