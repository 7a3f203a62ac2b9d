import type { LinkProps } from '@tanstack/react-router';
import { money } from '../../ui/formats';
import { customerName } from '../shared/customer-name';
import { messages } from './messages';
import type { SearchResults } from './queries';

type Target = Pick<LinkProps, 'to' | 'params' | 'search'>;

/** A result that can be chosen: where it leads, and its two lines. */
export interface SearchChoice {
  /** Unique among all results. */
  readonly key: string;
  readonly target: Target;
  readonly title: string;
  readonly details: ReadonlyArray<string | null>;
  /** On the right. */
  readonly amount?: string | undefined;
  readonly payment?: SearchResults['payments']['results'][number];
  readonly subscription?: SearchResults['subscriptions']['results'][number];
}

export interface ChoiceGroup {
  readonly label: string;
  readonly choices: readonly SearchChoice[];
  readonly hasMore: boolean;
}

/** The results by kind, without kinds that have none. */
export function choiceGroups(found: SearchResults): ChoiceGroup[] {
  const groups = [
    groupOf(messages.customers, found.customers, customerChoice),
    withAll(groupOf(messages.payments, found.payments, paymentChoice), found.payments),
    groupOf(messages.subscriptions, found.subscriptions, subscriptionChoice),
    groupOf(messages.links, found.payment_links, linkChoice),
    groupOf(messages.events, found.events, eventChoice),
  ];
  return groups.filter(({ choices }) => choices.length > 0);
}

function groupOf<Result>(
  label: string,
  { results, has_more: hasMore }: { readonly results: readonly Result[]; readonly has_more: boolean },
  choiceOf: (result: Result) => SearchChoice,
): ChoiceGroup {
  return { label, choices: results.map(choiceOf), hasMore };
}

function customerChoice(customer: SearchResults['customers']['results'][number]): SearchChoice {
  const { token, name, email, document } = customer;
  return {
    key: token,
    target: { to: '/customers/$token', params: { token } },
    title: name,
    details: [email, document],
  };
}

function paymentChoice(payment: SearchResults['payments']['results'][number]): SearchChoice {
  const { transaction_id: id, last_4_digits: digits, customer_name: name } = payment;
  return {
    key: id,
    target: { to: '/payments/$id', params: { id } },
    title: payment.merchant_order_id,
    details: [customerName({ name }), digits === null ? null : messages.card(digits)],
    amount: money(payment.amount, payment.currency),
    payment,
  };
}

function subscriptionChoice(subscription: SearchResults['subscriptions']['results'][number]): SearchChoice {
  const { id, customer_name: name, plan_name: plan } = subscription;
  return {
    key: `subscription ${id}`,
    target: { to: '/subscriptions/$id', params: { id } },
    title: customerName({ name }),
    details: [plan],
    amount: money(subscription.amount, subscription.currency),
    subscription,
  };
}

function linkChoice(link: SearchResults['payment_links']['results'][number]): SearchChoice {
  const { token, name, slug, amount, currency, is_active: isActive } = link;
  return {
    key: token,
    target: { to: '/payment-links', search: { link: token } },
    title: name,
    details: [slug, isActive ? null : messages.inactive],
    amount: amount === null ? undefined : money(amount, currency),
  };
}

function eventChoice(found: SearchResults['events']['results'][number]): SearchChoice {
  const { id, event, transaction_id: payment, subscription_id: subscription } = found;
  const target: Target =
    payment === null
      ? { to: '/subscriptions/$id', params: { id: subscription ?? '' } }
      : { to: '/payments/$id', params: { id: payment } };
  return { key: `event ${id}`, target, title: messages.event(String(id)), details: [event] };
}

/** Of payments with one amount or card there may be more than are shown: the list has all of them. */
function withAll(group: ChoiceGroup, { results, has_more: hasMore }: SearchResults['payments']): ChoiceGroup {
  const last = results.at(-1);
  const all = hasMore && last !== undefined ? allLike(last) : null;
  return all === null ? group : { ...group, choices: [...group.choices, all], hasMore: false };
}

function allLike(payment: SearchResults['payments']['results'][number]): SearchChoice | null {
  const { match, amount, currency, last_4_digits: digits } = payment;
  const choice = (title: string, search: Target['search']): SearchChoice => ({
    ...{ key: 'all payments', target: { to: '/payments', search }, title, details: [] },
  });
  if (match === 'amount')
    return choice(messages.withAmount(money(amount, currency)), { amount_from: amount, amount_to: amount });
  if (match === 'card' && digits !== null) return choice(messages.withCard(digits), { last_four: digits });
  return null;
}
