import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FactList } from '../../ui/layout/fact-list';
import { money } from '../../ui/formats';
import { Panel } from '../../ui/layout/panel';
import { discountLabel } from '../coupons/coupon-labels';
import classes from '../shared/detail.module.css';
import { TextLink } from '../shared/links';
import { periodLabel } from '../plans/period-labels';
import { planChoicesQuery } from '../plans/queries';
import { SubscriptionBadges } from '../subscriptions/status-badge';
import { useDates } from '../shared/use-dates';
import { CustomerLink } from '../customers/customer-link';
import { messages } from './messages';
import type { Subscription } from './queries';

interface SectionProps {
  readonly subscription: Subscription;
}

export function Summary({ subscription }: SectionProps) {
  const { amount, currency } = subscription;
  return (
    <Panel title={messages.summary}>
      <Stack gap={6} align="flex-start">
        <span className={classes.amount}>{money(amount, currency)}</span>
        <Text size="sm" c="dimmed">
          {periodLabel(subscription)}
        </Text>
        <Group gap={4}>
          <SubscriptionBadges subscription={subscription} />
        </Group>
      </Stack>
      <PlanFacts subscription={subscription} />
      <DateFacts subscription={subscription} />
      <CustomerFacts subscription={subscription} />
    </Panel>
  );
}

function PlanFacts({ subscription }: SectionProps) {
  const { plan, card, coupon, currency, discount_amount: discount, original_amount: whole } = subscription;
  const { credit_balance: credit } = subscription;
  return (
    <FactList
      facts={[
        [messages.plan, plan.name],
        [messages.listPrice, discount > 0 && money(whole, currency)],
        [messages.coupon, coupon && `${coupon.code}, ${discountLabel(coupon)}`],
        [messages.couponUse, coupon && messages.cyclesUsed(coupon.cycles_used, coupon.max_cycles)],
        [messages.credit, credit > 0 && money(credit, currency)],
        [messages.card, messages.cardIs(card.brand, card.last_4_digits)],
        [messages.cardExpires, `${card.expire_month}/${card.expire_year}`],
        [messages.gateway, subscription.gateway_first_try],
      ]}
    />
  );
}

function DateFacts({ subscription }: SectionProps) {
  const dates = useDates();
  const { trial, current_period: period, clock, cancel_reason: reason } = subscription;
  const day = (instant: string | null) => (instant === null ? null : dates.day(instant));
  const minute = (instant: string | null) => (instant === null ? null : dates.minute(instant));
  return (
    <FactList
      facts={[
        [messages.next, minute(subscription.next_billing_at)],
        [messages.period, period && messages.span(dates.day(period.start), dates.day(period.end))],
        [messages.trial, trial && messages.span(dates.day(trial.start), dates.day(trial.end))],
        [messages.pausedSince, minute(subscription.paused_at)],
        [messages.pausedUntil, minute(subscription.paused_until)],
        [
          messages.planChange,
          subscription.plan_change_at !== null && <PlanChange subscription={subscription} />,
        ],
        [messages.endsAt, day(subscription.cancel_at)],
        [messages.endedAt, minute(subscription.canceled_at)],
        [messages.endReason, reason && messages.reasons[reason]],
        [messages.created, dates.minute(subscription.created_at)],
        [messages.clock, clock && dates.minute(clock.now)],
      ]}
    />
  );
}

/** The scheduled plan by name, or by id if it is not in the list. */
function PlanChange({ subscription: { new_plan_id: id, plan_change_at: at } }: SectionProps) {
  const dates = useDates();
  const { data: plans = [] } = useQuery(planChoicesQuery);
  const name = plans.find((plan) => plan.id === id)?.name ?? id ?? '';
  return messages.planFrom(name, at === null ? '' : dates.day(at));
}

function CustomerFacts({ subscription: { customer, metadata } }: SectionProps) {
  return (
    <FactList
      facts={[
        [messages.customer, <CustomerLink key="customer" customer={customer} />],
        [messages.document, customer.document],
        [
          messages.others,
          <TextLink
            key="others"
            to="/subscriptions"
            search={{ customer: customer.token ?? undefined }}
            fz="sm"
          >
            {messages.allOfCustomer}
          </TextLink>,
        ],
        [
          messages.metadata,
          metadata?.flatMap((part, place) =>
            Object.entries(part).map(([name, value]) => (
              <div key={`${place} ${name}`}>
                {name}: {typeof value === 'string' ? value : JSON.stringify(value)}
              </div>
            )),
          ),
        ],
      ]}
    />
  );
}
