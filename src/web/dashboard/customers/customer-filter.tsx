import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { searchQuery } from '../search/queries';
import classes from './customer-filter.module.css';
import { messages } from './messages';
import { customerQuery } from './queries';

interface CustomerFilterProps {
  /** Of the chosen customer. */
  readonly token: string | undefined;
  readonly change: (token: string | undefined) => void;
}

const TYPING_PAUSE_MS = 200;

/** Chooses a customer by name, email, CPF or CNPJ. */
export function CustomerFilter({ token, change }: CustomerFilterProps) {
  const [text, setText] = useState('');
  const [settled] = useDebouncedValue(text.trim(), TYPING_PAUSE_MS);
  const { data: chosen } = useQuery({ ...customerQuery(token ?? ''), enabled: token !== undefined });
  const { data: found, isFetching } = useQuery(searchQuery(settled));
  const options = (found?.customers.results ?? []).map((customer) => optionOf(customer));
  const { name, email } = chosen?.customer ?? {};
  const own = token === undefined ? [] : [optionOf({ token, name: name ?? token, email: email ?? '' })];
  const others = options.filter(({ value }) => value !== token);
  return (
    <Select
      label={messages.customer}
      placeholder={messages.filterHint}
      searchable
      clearable
      value={token ?? null}
      onChange={(value) => change(value ?? undefined)}
      onSearchChange={setText}
      data={[...own, ...others]}
      // The service has compared them.
      filter={({ options: all }) => all}
      nothingFoundMessage={settled.length < 2 || isFetching ? messages.typeMore : messages.nobody}
      maxLength={255}
      className={classes.filter}
    />
  );
}

function optionOf({
  token,
  name,
  email,
}: {
  readonly token: string;
  readonly name: string;
  readonly email: string;
}) {
  return { value: token, label: email === '' ? name : `${name} · ${email}` };
}
