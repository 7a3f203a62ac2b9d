import { Accordion } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './details-list.module.css';

interface DetailsListProps<Item> {
  readonly items: readonly Item[];
  readonly headline: (item: Item) => ReactNode;
  readonly details: (item: Item) => ReactNode;
}

/** A list of headlines that expand to show details. */
export function DetailsList<Item extends { readonly id: string }>(props: DetailsListProps<Item>) {
  const { items, headline, details } = props;
  return (
    <Accordion multiple chevronPosition="right" order={3} classNames={classes}>
      {items.map((item) => (
        <Accordion.Item key={item.id} value={item.id}>
          <Accordion.Control>{headline(item)}</Accordion.Control>
          <Accordion.Panel>{details(item)}</Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}
