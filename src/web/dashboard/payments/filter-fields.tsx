import { Checkbox, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { CentsInput } from '../../ui/forms/cents-input';
import { Choice } from '../../ui/forms/choice';
import { CustomerFilter } from '../customers/customer-filter';
import { messages } from './messages';
import { MetadataFilter } from './metadata-filter';
import classes from './payments.module.css';
import type { PaymentSearch } from './search';
import {
  attentionLabels,
  GATEWAYS,
  methodLabels,
  PAYMENT_ATTENTIONS,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  statusLabels,
} from './status-labels';

interface FilterFieldsProps {
  readonly search: PaymentSearch;
  readonly change: (part: PaymentSearch) => void;
}

/** Delay after the last keystroke in an amount field. */
const DEBOUNCE_MS = 500;

export function FilterFields({ search, change }: FilterFieldsProps) {
  return (
    <div className={classes.fields}>
      <Choice
        label={messages.status}
        values={PAYMENT_STATUSES}
        labels={statusLabels}
        value={search.status}
        onChange={(status) => change({ status })}
      />
      <Choice
        label={messages.method}
        values={PAYMENT_METHODS}
        labels={methodLabels}
        value={search.payment_method}
        onChange={(method) => change({ payment_method: method })}
      />
      <Choice
        label={messages.gateway}
        values={GATEWAYS}
        value={search.gateway}
        onChange={(gateway) => change({ gateway })}
      />
      <Choice
        label={messages.attention}
        values={PAYMENT_ATTENTIONS}
        labels={attentionLabels}
        value={search.attention}
        onChange={(attention) => change({ attention })}
      />
      <TextInput
        type="date"
        label={messages.from}
        value={search.start_date ?? ''}
        onChange={({ currentTarget: { value } }) => change({ start_date: value === '' ? undefined : value })}
      />
      <TextInput
        type="date"
        label={messages.to}
        value={search.end_date ?? ''}
        onChange={({ currentTarget: { value } }) => change({ end_date: value === '' ? undefined : value })}
      />
      <Amount
        key={`from ${search.amount_from}`}
        label={messages.amountFrom}
        value={search.amount_from}
        choose={(cents) => change({ amount_from: cents })}
      />
      <Amount
        key={`to ${search.amount_to}`}
        label={messages.amountTo}
        value={search.amount_to}
        choose={(cents) => change({ amount_to: cents })}
      />
      <MetadataFilter search={search} change={change} />
      <CustomerFilter token={search.customer} change={(customer) => change({ customer })} />
      <LastFour
        key={search.last_four}
        digits={search.last_four ?? ''}
        choose={(digits) => change({ last_four: digits })}
      />
      <Checkbox
        className={classes.stuck}
        label={messages.onlyReview}
        checked={search.stuck === true}
        onChange={({ currentTarget: { checked } }) => change({ stuck: checked ? true : undefined })}
      />
    </div>
  );
}

interface LastFourProps {
  readonly digits: string;
  readonly choose: (digits: string | undefined) => void;
}

/** Applies once there are four digits, or none. */
function LastFour({ digits, choose }: LastFourProps) {
  const [entered, setEntered] = useState(digits);
  const change = (text: string) => {
    const kept = text.replaceAll(/\D/g, '').slice(0, 4);
    setEntered(kept);
    if (kept.length === 4) choose(kept);
    else if (kept === '' && digits !== '') choose(undefined);
  };
  return (
    <TextInput
      label={messages.lastFour}
      inputMode="numeric"
      autoComplete="off"
      value={entered}
      onChange={({ currentTarget: { value } }) => change(value)}
    />
  );
}

interface AmountProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly choose: (cents: number | undefined) => void;
}

function Amount({ label, value, choose }: AmountProps) {
  const [entered, setEntered] = useState(value ?? null);
  const chooseDebounced = useDebouncedCallback(
    (cents: number | null) => choose(cents ?? undefined),
    DEBOUNCE_MS,
  );
  return (
    <CentsInput
      label={label}
      value={entered}
      onChange={(cents) => {
        setEntered(cents);
        chooseDebounced(cents);
      }}
    />
  );
}
