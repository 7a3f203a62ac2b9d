import { maskDocument } from '../../domain/customers/document';
import type { components } from '../../http/generated/openapi';
import type { PresentableSubscription } from '../subscription';
import type { PresentablePayment } from '../payment';

type Schemas = components['schemas'];

interface PresentableFound<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

export interface PresentableSearchResults {
  readonly customers: PresentableFound<{
    readonly customer: {
      readonly token: string;
      readonly name: string;
      readonly email: string;
      readonly document: string | null;
    };
    readonly match: Schemas['FoundCustomer']['match'];
  }>;
  readonly payments: PresentableFound<{
    readonly payment: Pick<
      PresentablePayment,
      | 'transactionId'
      | 'merchantOrderId'
      | 'status'
      | 'code'
      | 'amountCents'
      | 'currency'
      | 'paymentMethod'
      | 'card'
      | 'customer'
      | 'createdAt'
    >;
    readonly match: Schemas['FoundPayment']['match'];
  }>;
  readonly subscriptions: PresentableFound<
    Pick<PresentableSubscription, 'plan' | 'customer' | 'state'> & {
      readonly row: { readonly uuid: string; readonly createdAt: Date };
    }
  >;
  readonly links: PresentableFound<PresentableFoundLink>;
  readonly events: PresentableFound<PresentableFoundEvent>;
}

interface PresentableFoundLink {
  readonly token: string;
  readonly name: string;
  readonly slug: string;
  readonly type: Schemas['PaymentLinkType'];
  readonly amountCents: number | null;
  readonly currency: string;
  readonly isActive: boolean;
}

interface PresentableFoundEvent {
  readonly id: number;
  readonly type: Schemas['WebhookEventName'];
  readonly subjectType: 'payment' | 'subscription';
  readonly subjectId: string;
  readonly createdAt: Date;
}

export function presentSearchResults(found: PresentableSearchResults): Schemas['SearchResults'] {
  return {
    customers: group(found.customers, ({ customer: { token, name, email, document }, match }) => ({
      ...{ token, name, email, document: document === null ? null : maskDocument(document), match },
    })),
    payments: group(found.payments, ({ payment, match }) => ({
      transaction_id: payment.transactionId,
      merchant_order_id: payment.merchantOrderId,
      status: payment.status,
      code: payment.code,
      amount: payment.amountCents,
      currency: payment.currency,
      payment_method: payment.paymentMethod,
      last_4_digits: payment.card?.last4Digits ?? null,
      customer_name: payment.customer.name,
      created_at: payment.createdAt.toISOString(),
      match,
    })),
    subscriptions: group(found.subscriptions, ({ row, state, plan, customer }) => ({
      id: row.uuid,
      status: state.status,
      plan_name: plan.name,
      customer_name: customer.name,
      amount: plan.amountCents,
      currency: plan.currency,
      created_at: row.createdAt.toISOString(),
    })),
    payment_links: group(found.links, ({ token, name, slug, type, amountCents, currency, isActive }) => ({
      ...{ token, name, slug, type, amount: amountCents, currency, is_active: isActive },
    })),
    events: group(found.events, ({ id, type, subjectType, subjectId, createdAt }) => ({
      id,
      event: type,
      transaction_id: subjectType === 'payment' ? subjectId : null,
      subscription_id: subjectType === 'subscription' ? subjectId : null,
      created_at: createdAt.toISOString(),
    })),
  };
}

function group<Row, Result>({ rows, hasMore }: PresentableFound<Row>, present: (row: Row) => Result) {
  return { results: rows.map(present), has_more: hasMore };
}
