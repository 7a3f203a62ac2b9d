import { Table, Text } from '@mantine/core';
import { money } from '../../ui/formats';
import { TextLink } from '../shared/links';
import { ListTable } from '../shared/list-table';
import classes from '../shared/list.module.css';
import { useDates } from '../shared/use-dates';
import { customerName } from '../shared/customer-name';
import { messages } from './messages';
import type { ListedPayment } from './queries';
import { PaymentStatusBadge } from './status-badge';
import { methodLabels } from './status-labels';

interface PaymentTableProps {
  readonly payments: readonly ListedPayment[];
  readonly outdated: boolean;
}

export function PaymentTable({ payments, outdated }: PaymentTableProps) {
  return (
    <ListTable outdated={outdated}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.order}</Table.Th>
          <Table.Th scope="col">{messages.status}</Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {messages.method}
          </Table.Th>
          <Table.Th scope="col" visibleFrom="md">
            {messages.created}
          </Table.Th>
          <Table.Th scope="col" ta="right">
            {messages.amount}
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {payments.map((payment) => (
          <Row key={payment.transaction_id} payment={payment} />
        ))}
      </Table.Tbody>
    </ListTable>
  );
}

function Row({ payment }: { readonly payment: ListedPayment }) {
  const dates = useDates();
  const { transaction_id: id, merchant_order_id: order, payment_method: method, customer } = payment;
  return (
    <Table.Tr className={classes.row}>
      <Table.Td className={classes.name}>
        <TextLink to="/payments/$id" params={{ id }} fw={550} lineClamp={2} className={classes.rowLink}>
          {order ?? messages.noOrder}
        </TextLink>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {customerName(customer)}
        </Text>
      </Table.Td>
      <Table.Td>
        <PaymentStatusBadge
          status={payment.status}
          code={payment.code}
          stuck={payment.stuck_since !== null}
        />
      </Table.Td>
      <Table.Td visibleFrom="md">
        {methodLabels[method]}
        <Text size="xs" c="dimmed">
          {payment.gateway ?? ''}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <time dateTime={payment.created_at}>{dates.minute(payment.created_at)}</time>
      </Table.Td>
      <Table.Td ta="right" fw={550} className={classes.amount}>
        {money(payment.amount, payment.currency)}
        <Text size="xs" c="dimmed" hiddenFrom="md">
          {dates.short(payment.created_at)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}
