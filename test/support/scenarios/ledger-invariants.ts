import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { PaymentBody } from '../../../src/presenters/payment';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/**
 * Violations of the money invariants, once every operation has ended; empty if there are none.
 * The ledger is written by the simulator, another process, so it is the reference for the engine's state.
 */
export function ledgerViolations(entries: readonly LedgerEntry[]): string[] {
  const payments = groupBy(entries, (entry) => transactionOf(entry.reference));
  return [...payments].flatMap(([payment, ofPayment]) => paymentViolations(payment, ofPayment));
}

/**
 * Differences between a payment and the gateway's ledger; empty if there are none. No operation may be in progress. What a
 * pix or boleto payer paid beyond the amount counts in `paid_amount` only, and the gateway's own refund of it nowhere.
 */
export function paymentMismatches(payment: PaymentBody, entries: readonly LedgerEntry[]): string[] {
  const { captured, refunded, held } = ledgerTotals(entries);
  const isCard = payment.payment_method === 'card';
  const isCaptured = payment.status === 'approved' || payment.status === 'refunded';
  const capped = isCard ? captured : Math.min(captured, payment.amount);
  const excess = captured - capped;
  const recorded = payment.refunded_amount ?? 0;
  const isRefundRight = recorded <= refunded && recorded >= refunded - excess;
  const expected = {
    captured_amount: isCard || isCaptured ? capped : 0,
    refunded_amount: isRefundRight ? recorded : refunded,
    paid_amount: isCard ? 0 : captured,
    held: payment.status === 'authorized' ? payment.amount : 0,
  };
  const actual = {
    captured_amount: payment.captured_amount ?? 0,
    refunded_amount: payment.refunded_amount ?? 0,
    paid_amount: payment.paid_amount ?? 0,
    held,
  };
  const { status, transaction_id } = payment;
  const violations = [
    ...(status === 'refunded' && recorded !== expected.captured_amount
      ? ['it is not refunded completely']
      : []),
    ...(!isCaptured && isCard && captured > refunded ? [`${captured - refunded} was captured`] : []),
    ...(!isCaptured && !isCard && captured >= payment.amount ? ['it was paid'] : []),
    ...(JSON.stringify(expected) === JSON.stringify(actual)
      ? []
      : [`it is ${JSON.stringify(actual)}, in the ledger ${JSON.stringify(expected)}`]),
  ];
  return violations.map((violation) => `${transaction_id} is ${status}: ${violation}`);
}

function paymentViolations(payment: string, entries: readonly LedgerEntry[]): string[] {
  const charges = [...groupBy(entries, (entry) => entry.charge_id)];
  const holding = charges.filter(([, ofCharge]) => {
    const { captured, refunded, held } = ledgerTotals(ofCharge);
    return captured > refunded || held > 0;
  });
  const duplicates =
    holding.length > 1 ? [`${payment}: ${holding.length} charges hold or captured money`] : [];
  return [...duplicates, ...charges.flatMap(([charge, ofCharge]) => chargeViolations(charge, ofCharge))];
}

function chargeViolations(charge: string, entries: readonly LedgerEntry[]): string[] {
  const { authorized, captured, refunded, held } = ledgerTotals(entries);
  const sum = (kind: LedgerEntry['kind']): number => total(entries, kind);
  const shared = sum('split') + sum('fee');
  const violations: string[] = [];
  if (captured > authorized) violations.push(`${charge}: captured ${captured} of ${authorized} authorized`);
  if (refunded > captured) violations.push(`${charge}: refunded ${refunded} of ${captured} captured`);
  const paid = total(entries, 'paid');
  if (paid > 0 && captured !== paid) violations.push(`${charge}: captured ${captured} of ${paid} paid`);
  if (held < 0) violations.push(`${charge}: ${-held} more was captured or released than was held`);
  // What a pix or boleto payer paid beyond the amount is not split.
  const splittable = sum('pending') > 0 ? Math.min(captured, sum('pending')) : captured;
  if (sum('split') > 0 && shared !== splittable) {
    violations.push(`${charge}: splits and fees are ${shared} of ${splittable} captured`);
  }
  return [...violations, ...recipientViolations(charge, entries, sum('fee'))];
}

/** No recipient refunds more than it received; the fee may have been deducted from its share. */
function recipientViolations(charge: string, entries: readonly LedgerEntry[], feeCents: number): string[] {
  const byRecipient = groupBy(
    entries.filter(({ recipient_id: id }) => id !== undefined),
    ({ recipient_id: id }) => id ?? '',
  );
  return [...byRecipient].flatMap(([recipient, ofRecipient]) => {
    const received = total(ofRecipient, 'split') + feeCents;
    const refunded = total(ofRecipient, 'refunded');
    return refunded > received
      ? [`${charge}: ${recipient} received ${received} and refunded ${refunded}`]
      : [];
  });
}

function total(entries: readonly LedgerEntry[], kind: LedgerEntry['kind']): number {
  return entries.reduce((sum, entry) => sum + (entry.kind === kind ? entry.amount : 0), 0);
}

function groupBy(
  entries: readonly LedgerEntry[],
  keyOf: (entry: LedgerEntry) => string,
): Map<string, LedgerEntry[]> {
  const groups = new Map<string, LedgerEntry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group === undefined) groups.set(keyOf(entry), [entry]);
    else group.push(entry);
  }
  return groups;
}
