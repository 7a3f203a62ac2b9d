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
        <Text size="sm" fw={550} ff="monospace" lineClamp={2}>
          {code}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={1}>
          {name}
        </Text>
      </Table.Td>
      <Table.Td>
        <Text size="sm" fw={550} lineClamp={1}>
          {discountLabel(coupon)}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {cycles !== null && (
            <Text span inherit visibleFrom="sm">
              {messages.cycles(cycles)} ·{' '}
            </Text>
          )}
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
  const { day, digits } = useDates();
  const text = (format: (instant: string) => string): string =>
    until === null ? messages.since(format(from)) : messages.dates(format(from), format(until));
  return (
    <>
      <Text span inherit visibleFrom="sm">
        {text(day)}
      </Text>
      <Text span inherit hiddenFrom="sm">
        {text(digits)}
      </Text>
    </>
  );
}
