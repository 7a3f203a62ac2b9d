import { Button, Collapse, Group, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import ListFilter from 'lucide-react/icons/list-filter';
import Search from 'lucide-react/icons/search';
import { useId, useState, type SyntheticEvent } from 'react';
import { FilterFields } from './filter-fields';
import { messages } from './messages';
import { countFilters, type PaymentSearch } from './search';
import classes from './payments.module.css';

interface PaymentFiltersProps {
  readonly search: PaymentSearch;
  readonly show: (search: PaymentSearch) => void;
}

/** Each change applies immediately and returns to the first page. */
export function PaymentFilters({ search, show }: PaymentFiltersProps) {
  const active = countFilters(search);
  const [opened, filters] = useDisclosure(active > 0);
  const id = useId();
  const { page: _page, ...chosen } = search;
  const change = (part: PaymentSearch) => show({ ...chosen, ...part });
  return (
    <div className={classes.filters}>
      <Group gap="xs" wrap="wrap">
        <SearchField key={search.q} text={search.q ?? ''} find={(q) => change({ q })} />
        <Button
          variant={active > 0 ? 'light' : 'default'}
          leftSection={<ListFilter size={16} aria-hidden />}
          onClick={filters.toggle}
          aria-expanded={opened}
          aria-controls={id}
        >
          {active > 0 ? `${messages.filters} (${active})` : messages.filters}
        </Button>
        {(active > 0 || search.q !== undefined) && (
          <Button variant="subtle" onClick={() => show({})}>
            {messages.clear}
          </Button>
        )}
      </Group>
      <Collapse expanded={opened} id={id}>
        <FilterFields search={search} change={change} />
      </Collapse>
    </div>
  );
}

function SearchField({
  text,
  find,
}: {
  readonly text: string;
  readonly find: (q: string | undefined) => void;
}) {
  const [entered, setEntered] = useState(text);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const q = entered.trim();
    find(q === '' ? undefined : q);
  };
  return (
    <form onSubmit={submit} className={classes.search}>
      <TextInput
        type="search"
        value={entered}
        onChange={(event) => setEntered(event.currentTarget.value)}
        aria-label={messages.search}
        placeholder={messages.searchHint}
        leftSection={<Search size={16} aria-hidden />}
        maxLength={255}
      />
    </form>
  );
}
