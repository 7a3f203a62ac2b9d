import { Group, Table, Text } from '@mantine/core';
import type { Schema } from '../../api/client';
import { Badge } from '../../ui/badge';
import { Panel } from '../../ui/layout/panel';
import { TextLink } from '../shared/links';
import { ListTable } from '../shared/list-table';
import { useDates } from '../shared/use-dates';
import { messages } from './messages';
import { None } from './newest';

export function Cards({ cards }: { readonly cards: ReadonlyArray<Schema<'SavedCard'>> }) {
  return (
    <Panel title={messages.cards} flush>
      {cards.length === 0 ? (
        <None>{messages.noCards}</None>
      ) : (
        <ListTable outdated={false}>
          <Table.Tbody>
            {cards.map((card) => (
              <Table.Tr key={card.token}>
                <Table.Td>
                  <Group gap="xs">
                    <Text size="sm" fw={550}>
                      {messages.cardIs(card.brand, card.last_4_digits)}
                    </Text>
                    {card.is_default && <Badge tone="neutral">{messages.defaultCard}</Badge>}
                  </Group>
                  <Text size="xs" c="dimmed">
                    {card.holder_name}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">
                  <Text size="sm">{messages.expires(card.expire_month, card.expire_year)}</Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </ListTable>
      )}
    </Panel>
  );
}

type Purchase = Schema<'CheckoutPurchase'>;

export function CheckoutPurchases({ purchases }: { readonly purchases: readonly Purchase[] }) {
  return (
    <Panel title={messages.checkout} flush>
      {purchases.length === 0 ? (
        <None>{messages.noCheckout}</None>
      ) : (
        <ListTable outdated={false}>
          <Table.Tbody>
            {purchases.map((purchase) => (
              <PurchaseRow key={purchase.merchant_order_id} purchase={purchase} />
            ))}
          </Table.Tbody>
        </ListTable>
      )}
    </Panel>
  );
}

function PurchaseRow({ purchase }: { readonly purchase: Purchase }) {
  const dates = useDates();
  const { payment_link: link, transaction_id: payment, subscription_id: subscription } = purchase;
  return (
    <Table.Tr>
      <Table.Td>
        {link === null ? (
          <Text size="sm">{messages.ownCheckout}</Text>
        ) : (
          <TextLink to="/payment-links" search={{ link: link.token }} fz="sm" fw={550}>
            {link.name}
          </TextLink>
        )}
        <Text size="xs" c="dimmed">
          {dates.short(purchase.created_at)}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {subscription !== null && (
          <TextLink to="/subscriptions/$id" params={{ id: subscription }} fz="sm">
            {messages.toSubscription}
          </TextLink>
        )}
        {subscription === null && payment !== null && (
          <TextLink to="/payments/$id" params={{ id: payment }} fz="sm">
            {messages.toPayment}
          </TextLink>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
