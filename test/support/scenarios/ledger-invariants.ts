import { type LedgerEntry, ledgerTotals } from '../../../src/simulator/ledger';
import type { PaymentBody } from '../../../src/presenters/payment';
import { transactionOf } from '../../../src/gateways/simulator/wire';

/**
 * What must hold for money once every story is over, in words; empty when all of it does.
 * The ledger belongs to the simulator, another process, so it is the truth that the engine's status is compared with.
 */
export function ledgerViolations(entries: readonly LedgerEntry[]): string[] {
  const payments = groupBy(entries, (entry) => transactionOf(entry.reference));
  return [...payments].flatMap(([payment, ofPayment]) => paymentViolations(payment, ofPayment));
}

/**
 * Where a payment, nothing of which is under way, tells otherwise than its gateway's books, in words. What a pix or
 * billet brought beyond what was asked for is `paid_amount` alone.
 */
export function disagreements(payment: PaymentBody, entries: readonly LedgerEntry[]): string[] {
  const { captured, refunded, held } = ledgerTotals(entries);
  const isCard = payment.payment_method === 'card';
  const isTaken = payment.status === 'approved' || payment.status === 'refunded';
  const taken = isCard ? captured : Math.min(captured, payment.amount);
  const books = {
    captured_amount: isCard || isTaken ? taken : 0,
    refunded_amount: refunded,
    paid_amount: isCard ? 0 : captured,
    held: payment.status === 'authorized' ? payment.amount : 0,
  };
  const told = {
    captured_amount: payment.captured_amount ?? 0,
    refunded_amount: payment.refunded_amount ?? 0,
    paid_amount: payment.paid_amount ?? 0,
    held,
  };
  const { status, transaction_id } = payment;
  const wrong = [
    ...(status === 'refunded' && refunded !== books.captured_amount ? ['it is not all given back'] : []),
    ...(!isTaken && isCard && captured > refunded ? [`${captured - refunded} was taken`] : []),
    ...(!isTaken && !isCard && captured >= payment.amount ? ['it was paid'] : []),
    ...(JSON.stringify(books) === JSON.stringify(told)
      ? []
      : [`it tells ${JSON.stringify(told)}, the books ${JSON.stringify(books)}`]),
  ];
  return wrong.map((violation) => `${transaction_id} is ${status}: ${violation}`);
}

function paymentViolations(payment: string, entries: readonly LedgerEntry[]): string[] {
  const charges = [...groupBy(entries, (entry) => entry.charge_id)];
  const live = charges.filter(([, ofCharge]) => {
    const { captured, refunded, held } = ledgerTotals(ofCharge);
    return captured > refunded || held > 0;
  });
  const several = live.length > 1 ? [`${payment}: ${live.length} charges hold or took money`] : [];
  return [...several, ...charges.flatMap(([charge, ofCharge]) => chargeViolations(charge, ofCharge))];
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
  if (held < 0) violations.push(`${charge}: ${-held} more was taken from the hold than was in it`);
  // What a pix or billet brings beyond what was asked for is not shared.
  const asked = sum('pending') > 0 ? Math.min(captured, sum('pending')) : captured;
  if (sum('split') > 0 && shared !== asked) {
    violations.push(`${charge}: splits and fees are ${shared} of ${asked} captured`);
  }
  return [...violations, ...recipientViolations(charge, entries, sum('fee'))];
}

/** Nobody gives back more than they got; a fee may have come out of their part. */
function recipientViolations(charge: string, entries: readonly LedgerEntry[], feeCents: number): string[] {
  const parts = groupBy(
    entries.filter(({ recipient_id: id }) => id !== undefined),
    ({ recipient_id: id }) => id ?? '',
  );
  return [...parts].flatMap(([recipient, ofRecipient]) => {
    const got = total(ofRecipient, 'split') + feeCents;
    const gaveBack = total(ofRecipient, 'refunded');
    return gaveBack > got ? [`${charge}: ${recipient} got ${got} and gave ${gaveBack} back`] : [];
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
