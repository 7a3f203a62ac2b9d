import { Table, Text } from '@mantine/core';
import { Badge } from '../../ui/badge';
import { useDates } from '../shared/use-dates';
import { CouponMenu } from './coupon-menu';
import { discountLabel, usesLabel } from './coupon-labels';
import { messages } from './messages';
import type { Coupon } from './queries';

export function CouponTable({ coupons }: { readonly coupons: readonly Coupon[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md">
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.code}</Table.Th>
          <Table.Th scope="col">{messages.discount}</Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {messages.uses}
          </Table.Th>
          <Table.Th scope="col" visibleFrom="sm">
            {messages.status}
          </Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {coupons.map((coupon) => (
          <Row key={coupon.id} coupon={coupon} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ coupon }: { readonly coupon: Coupon }) {
  const { code, name, max_cycles: cycles } = coupon;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={550} ff="monospace">
          {code}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={550}>
          {discountLabel(coupon)}
        </Text>
        <Text size="xs" c="dimmed">
          {cycles !== null && <>{messages.cycles(cycles)} · </>}
          <Dates coupon={coupon} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{usesLabel(coupon)}</Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge tone={coupon.is_active ? 'good' : 'neutral'}>
          {coupon.is_active ? messages.active : messages.inactive}
        </Badge>
      </Table.Td>
      <Table.Td ta="right">
        <CouponMenu coupon={coupon} />
      </Table.Td>
    </Table.Tr>
  );
}

function Dates({ coupon: { valid_from: from, valid_until: until } }: { readonly coupon: Coupon }) {
  const dates = useDates();
  return until === null ? messages.since(dates.day(from)) : messages.dates(dates.day(from), dates.day(until));
}
