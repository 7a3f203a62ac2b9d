import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { messages } from './messages';
import type { PaymentSearch } from './search';

interface MetadataFilterProps {
  readonly search: PaymentSearch;
  readonly change: (part: PaymentSearch) => void;
}

/** Delay after the last keystroke. */
const DEBOUNCE_MS = 500;

/** Key and value filter together: the list changes once both are given, or neither is. */
export function MetadataFilter({ search, change }: MetadataFilterProps) {
  const [key, setKey] = useState(search.metadata_key ?? '');
  const [value, setValue] = useState(search.metadata_value ?? '');
  const apply = useDebouncedCallback((chosenKey: string, chosenValue: string) => {
    const isWhole = chosenKey !== '' && chosenValue !== '';
    if (!isWhole && search.metadata_key === undefined) return;
    change({
      metadata_key: isWhole ? chosenKey : undefined,
      metadata_value: isWhole ? chosenValue : undefined,
    });
  }, DEBOUNCE_MS);
  return (
    <>
      <TextInput
        label={messages.metadataKey}
        value={key}
        maxLength={40}
        onChange={({ currentTarget: { value: entered } }) => {
          setKey(entered);
          apply(entered.trim(), value);
        }}
      />
      <TextInput
        label={messages.metadataValue}
        value={value}
        maxLength={500}
        onChange={({ currentTarget: { value: entered } }) => {
          setValue(entered);
          apply(key.trim(), entered);
        }}
      />
    </>
  );
}
