import { approvalRate, resultOfPayment } from '../domain/dashboard/approval-rate';
import type { PaymentAttention } from '../domain/dashboard/payment-attention';
import { declineMessage } from '../domain/payments/decline';
import { GATEWAY_SLUGS } from '../domain/shared/gateway-slug';
import { PAYMENT_STATUSES, type AttemptStatus, type PaymentStatus } from '../domain/payments/payment';
import type { components } from '../http/generated/openapi';
import { presentChargeCounts } from './routing/charge-counts';

type Schemas = components['schemas'];

/** The payments of one day with the same currency and status, as the read model counts them. */
export interface PresentablePayments {
  readonly day: number;
  readonly currency: string;
  readonly status: PaymentStatus;
  readonly payments: number;
  readonly amountCents: number;
  readonly capturedCents: number;
  readonly refundedCents: number;
}

export interface PresentableCharges {
  readonly gateway: Schemas['GatewaySlug'];
  readonly status: AttemptStatus;
  readonly charges: number;
}

export interface PresentableRevenue {
  readonly currency: string;
  readonly subscriptions: number;
  readonly monthlyCents: number;
}

export interface PresentablePlanRevenue extends PresentableRevenue {
  readonly planId: string;
  readonly name: string;
}

export interface PresentableFigures {
  readonly payments: readonly PresentablePayments[];
  readonly previousPayments: readonly PresentablePayments[];
  readonly charges: readonly PresentableCharges[];
  readonly declines: ReadonlyArray<{ readonly responseCode: string; readonly charges: number }>;
  readonly recurring: readonly PresentableRevenue[];
  readonly recurringByPlan: readonly PresentablePlanRevenue[];
  readonly chargesOnHold: { readonly subscriptions: number; readonly since: Date | null };
  readonly attention: Readonly<Record<PaymentAttention, number>>;
  readonly failingEndpoints: ReadonlyArray<{
    readonly id: number;
    readonly url: string;
    readonly enabled: boolean;
    readonly disabledReason: Schemas['DashboardWebhook']['disabled_reason'];
    readonly failingSince: Date | null;
    readonly retrying: number;
    readonly failed: number;
  }>;
}

/** Shown with zeros if there are no payments yet. */
const HOME_CURRENCY = 'BRL';

export interface PresentablePeriod {
  /** The days that the figures cover, at least one. */
  readonly dates: readonly string[];
  readonly previous: { readonly firstDate: string; readonly lastDate: string };
  readonly timezone: string;
}

export function presentDashboard(
  { dates, previous, timezone }: PresentablePeriod,
  figures: PresentableFigures,
): Schemas['Dashboard'] {
  const { payments, charges, declines, chargesOnHold, failingEndpoints } = figures;
  const currencies = [...new Set(payments.map(({ currency }) => currency))].sort();
  if (currencies.length === 0) currencies.push(HOME_CURRENCY);
  return {
    from: dates[0] ?? '',
    to: dates.at(-1) ?? '',
    timezone,
    totals: currencies.map((currency) => totalsOf(currency, payments)),
    previous: {
      from: previous.firstDate,
      to: previous.lastDate,
      totals: currencies.map((currency) => totalsOf(currency, figures.previousPayments)),
    },
    approval_by_gateway: approvalByGateway(charges),
    volume: dates.map((date, day) =>
      dayOf(
        date,
        currencies,
        payments.filter((counted) => counted.day === day),
      ),
    ),
    decline_reasons: declines.map(({ responseCode, charges: count }) => ({
      code: responseCode,
      message: declineMessage(responseCode),
      count,
    })),
    recurring_revenue: revenueOf(figures),
    charges_on_hold: {
      subscriptions: chargesOnHold.subscriptions,
      since: chargesOnHold.since?.toISOString() ?? null,
    },
    attention: figures.attention,
    failing_webhooks: failingEndpoints.map((endpoint) => ({
      endpoint_id: endpoint.id,
      url: endpoint.url,
      enabled: endpoint.enabled,
      disabled_reason: endpoint.disabledReason,
      failing_since: endpoint.failingSince?.toISOString() ?? null,
      retrying: endpoint.retrying,
      failed: endpoint.failed,
    })),
  };
}

function totalsOf(currency: string, payments: readonly PresentablePayments[]): Schemas['DashboardTotals'] {
  const inCurrency = payments.filter((counted) => counted.currency === currency);
  const figureOf = (counted: readonly PresentablePayments[]): Schemas['DashboardFigure'] => ({
    count: sum(counted, 'payments'),
    amount: sum(counted, 'amountCents'),
  });
  const byStatus = PAYMENT_STATUSES.map((status) => [
    status,
    figureOf(inCurrency.filter((counted) => counted.status === status)),
  ]);
  return {
    currency,
    payments: figureOf(inCurrency),
    ...(Object.fromEntries(byStatus) as Record<PaymentStatus, Schemas['DashboardFigure']>),
    captured_amount: sum(inCurrency, 'capturedCents'),
    // A refunded part of a pix or boleto that was never accepted is not captured either.
    refunded_amount: sum(inCurrency.filter(isCaptured), 'refundedCents'),
    approval_rate: rateOfPayments(inCurrency),
  };
}

function rateOfPayments(payments: readonly PresentablePayments[]): number | null {
  return approvalRate(
    payments.map(({ status, payments: count }) => ({ result: resultOfPayment(status), count })),
  );
}

function isCaptured({ status }: PresentablePayments): boolean {
  return status === 'approved' || status === 'refunded';
}

function dayOf(
  date: string,
  currencies: readonly string[],
  payments: readonly PresentablePayments[],
): Schemas['DashboardDay'] {
  const approved = payments.filter(isCaptured);
  return {
    date,
    payments: sum(payments, 'payments'),
    approved: sum(approved, 'payments'),
    approval_rate: rateOfPayments(payments),
    amounts: currencies.map((currency) => {
      const inCurrency = payments.filter((counted) => counted.currency === currency);
      return {
        currency,
        amount: sum(inCurrency, 'amountCents'),
        captured_amount: sum(inCurrency, 'capturedCents'),
      };
    }),
  };
}

function revenueOf({ recurring, recurringByPlan }: PresentableFigures): Schemas['DashboardRecurring'][] {
  const currencies = [...new Set([HOME_CURRENCY, ...recurring.map(({ currency }) => currency)])].sort();
  return currencies.map((currency) => {
    const inCurrency = recurring.filter((revenue) => revenue.currency === currency);
    return {
      currency,
      subscriptions: sum(inCurrency, 'subscriptions'),
      monthly_amount: sum(inCurrency, 'monthlyCents'),
      plans: recurringByPlan
        .filter((revenue) => revenue.currency === currency)
        .map(({ planId, name, subscriptions, monthlyCents }) => ({
          plan_id: planId,
          name,
          subscriptions,
          monthly_amount: monthlyCents,
        })),
    };
  });
}

function approvalByGateway(charges: readonly PresentableCharges[]): Schemas['DashboardApproval'][] {
  return GATEWAY_SLUGS.flatMap((gateway) => {
    const atGateway = charges.filter((counted) => counted.gateway === gateway);
    return atGateway.length === 0 ? [] : [{ gateway, ...presentChargeCounts(atGateway) }];
  });
}

function sum<Name extends string>(rows: ReadonlyArray<Readonly<Record<Name, number>>>, name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
