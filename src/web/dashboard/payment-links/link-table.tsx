import { ActionIcon, CopyButton, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import Check from 'lucide-react/icons/check';
import Copy from 'lucide-react/icons/copy';
import ExternalLink from 'lucide-react/icons/external-link';
import { Badge } from '../../ui/badge';
import { count, money } from '../../ui/formats';
import { messages as shared } from '../../ui/messages';
import { planChoicesQuery } from '../plans/queries';
import { LinkMenu } from './link-menu';
import { linkState, linkStateTones } from './link-state';
import { messages } from './messages';
import classes from './payment-links.module.css';
import type { PaymentLink } from './queries';

export function LinkTable({ links }: { readonly links: readonly PaymentLink[] }) {
  return (
    <Table verticalSpacing="sm" horizontalSpacing="md" className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{messages.name}</Table.Th>
          <Table.Th scope="col">{messages.price}</Table.Th>
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
        {links.map((link) => (
          <Row key={link.token} link={link} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ link }: { readonly link: PaymentLink }) {
  const { name, uses_count: used, max_uses: max } = link;
  const state = linkState(link, new Date());
  const badge = <Badge tone={linkStateTones[state]}>{messages.states[state]}</Badge>;
  return (
    <Table.Tr>
      <Table.Td className={classes.name}>
        <Text size="sm" fw={550} lineClamp={2}>
          {name}
        </Text>
        <CheckoutUrl link={link} />
      </Table.Td>
      <Table.Td>
        <Price link={link} />
        <Text component="div" mt={4} hiddenFrom="sm">
          {badge}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {max === null ? count(used) : messages.usesOf(count(used), count(max))}
      </Table.Td>
      <Table.Td visibleFrom="sm">{badge}</Table.Td>
      <Table.Td ta="right">
        <LinkMenu link={link} />
      </Table.Td>
    </Table.Tr>
  );
}

function Price({ link: { amount, currency, plan_id: planId } }: { readonly link: PaymentLink }) {
  const { data: plans = [] } = useQuery(planChoicesQuery);
  const plan = plans.find(({ id }) => id === planId);
  if (amount !== null) return <Text size="sm">{money(amount, currency)}</Text>;
  return (
    <Text size="sm" lineClamp={2}>
      {plan === undefined ? messages.aPlan : messages.byPlan(plan.name)}
    </Text>
  );
}

/** Copies or opens the checkout URL. */
function CheckoutUrl({ link: { name, checkout_url: address } }: { readonly link: PaymentLink }) {
  return (
    <Group gap={2} wrap="nowrap">
      <Text size="xs" c="dimmed" lineClamp={1} className={classes.address}>
        {address.replace(/^https?:\/\//, '')}
      </Text>
      <CopyButton value={address}>
        {({ copied, copy }) => (
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            onClick={copy}
            aria-label={copied ? shared.copied : messages.copyUrl(name)}
          >
            {copied ? <Check size={15} aria-hidden /> : <Copy size={15} aria-hidden />}
          </ActionIcon>
        )}
      </CopyButton>
      <ActionIcon
        component="a"
        href={address}
        target="_blank"
        rel="noreferrer"
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={messages.openPage(name)}
      >
        <ExternalLink size={15} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
