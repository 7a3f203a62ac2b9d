import { GATEWAY_SLUGS } from '../../../src/domain/shared/gateway-slug';
import type { components } from '../../../src/http/generated/openapi';
import { table } from '../support/table';
import { DEMO_KINDS, type DemoKind } from './demo-payments';

export type DemoApiPayment = components['schemas']['Payment'];
type Transaction = DemoApiPayment['transactions'][number];

export interface DemoPayment {
  readonly kind: DemoKind;
  readonly payment: DemoApiPayment;
}

/** The statuses of the payments of each kind, and the gateways that charged them. */
export function kindsTable(demoPayments: readonly DemoPayment[]): string {
  const rows = DEMO_KINDS.map((kind) => {
    const payments = demoPayments.filter((demo) => demo.kind === kind).map(({ payment }) => payment);
    const count = (status: string): string =>
      String(payments.filter((payment) => payment.status === status).length);
    const sequences = new Set(payments.map(({ transactions }) => chargedGateways(transactions)));
    return [
      kind.title,
      String(payments.length),
      count('approved'),
      count('failed'),
      [...sequences].toSorted().join('; '),
    ];
  });
  return table([['card or fault', 'payments', 'approved', 'failed', 'gateways charged'], ...rows]).join('\n');
}

function chargedGateways(transactions: readonly Transaction[]): string {
  return charges(transactions)
    .map(({ gateway }) => gateway.replace('gateway_', ''))
    .join(' > ');
}

/** What each gateway was asked to charge. `vendors` are the names behind the slugs. */
export function gatewaysTable(
  demoPayments: readonly DemoPayment[],
  vendors: ReadonlyMap<string, string>,
): string {
  const all = demoPayments.flatMap(({ payment }) => charges(payment.transactions));
  const rows = GATEWAY_SLUGS.map((slug) => {
    const own = all.filter(({ gateway }) => gateway === slug);
    const count = (...statuses: readonly Transaction['status'][]): number =>
      own.filter(({ status }) => statuses.includes(status)).length;
    const [approved, declined] = [count('approved'), count('declined')];
    return [
      slug,
      vendors.get(slug) ?? '',
      ...[own.length, approved, declined, own.length - approved - declined].map(String),
    ];
  });
  return table([['gateway', 'vendor', 'charges', 'approved', 'declined', 'no result'], ...rows]).join('\n');
}

const charges = (transactions: readonly Transaction[]): Transaction[] =>
  transactions.filter(({ operation }) => operation === 'charge');

/** Payments without a result, each with the page that says why. */
export function unsettled(demoPayments: readonly DemoPayment[], baseUrl: string): string[] {
  return demoPayments
    .filter(({ payment }) => payment.status === 'processing' || payment.status === 'pending')
    .map(
      ({ kind, payment: { transaction_id: id, status } }) =>
        `${id} (${kind.title}) is still ${status}: ${baseUrl}/dashboard/payments/${id} shows why`,
    );
}
