import fc from 'fast-check';
import type { WireStatementLine } from '../../../../src/gateways/simulator/wire-statement';
import type { KnownPayment } from '../../../../src/domain/settlement/known-records';
import { matchLines } from '../../../../src/domain/settlement/match-lines';
import type { SettlementItemKind } from '../../../../src/domain/settlement/settlement-item';
import type { StatementLine } from '../../../../src/domain/settlement/statement-line';
import { canHave, plan, type StatementError } from '../../../../src/simulator/statements/statement-errors';
import {
  allItems,
  EVERY_DAY_IS_A_BANK_DAY,
  linesOf,
  numbered,
  paymentOf,
  sold,
  type Sold,
} from './statement-model';

/** What each planted error must be found as. */
const FOUND_AS: Readonly<Record<StatementError, SettlementItemKind>> = {
  missing: 'missing_there',
  missing_settlement: 'missing_there',
  missing_refund: 'missing_there',
  unknown: 'unknown_to_us',
  unknown_refund: 'unknown_to_us',
  unknown_dispute: 'unknown_dispute',
  amount: 'amount_differs',
  settled_amount: 'amount_differs',
  fee: 'fee_differs',
  net: 'net_differs',
  duplicate: 'twice',
  double_charge: 'charged_twice',
  wrong_day: 'wrong_day',
  currency: 'currency_differs',
  installment: 'installment_differs',
};
const ERRORS = Object.keys(FOUND_AS) as StatementError[];

const OPTIONS = { nextBankDay: EVERY_DAY_IS_A_BANK_DAY, haveWaited: false, isLastTry: true };

const sales = fc.array(sold, { minLength: 1, maxLength: 12 });

/** One error for some of the payments, in an order of lines that the gateway chooses. */
const statement = sales.chain((payments) =>
  fc.record({
    payments: fc.constant(payments),
    errors: fc.array(fc.option(fc.constantFrom(...ERRORS), { nil: null }), {
      minLength: payments.length,
      maxLength: payments.length,
    }),
    order: fc.infiniteStream(fc.nat()),
  }),
);

function reconciled(payments: Parameters<typeof paymentOf>[0][], lines: readonly StatementLine[]) {
  const known = { payments: payments.map(paymentOf), earlierLineIds: [] };
  const all = numbered(lines);
  return { known, all, matched: matchLines(all, known, OPTIONS) };
}

const kindsOf = (items: ReadonlyArray<{ kind: SettlementItemKind; transactionId: string | null }>) =>
  items.map(({ kind, transactionId }) => `${kind} ${transactionId ?? ''}`).toSorted();

describe('matching a statement', () => {
  it('finds every planted error, as what it is, and invents none', () => {
    fc.assert(
      fc.property(statement, ({ payments, errors, order }) => {
        const expected: string[] = [];
        const lines = payments.flatMap((payment, index) => {
          const right = linesOf(payment, index);
          const error = errors[index] ?? null;
          const line = error === null ? undefined : right.find((one) => canHave(error, wire(one)));
          if (error === null || line === undefined) return right;
          const { removes, adds } = plan(error, wire(line));
          expected.push(`${FOUND_AS[error]} ${error === 'unknown' ? '' : `payment-${index}`}`);
          return [...right.filter(({ lineId }) => lineId !== removes), ...adds.map(unwire)];
        });
        const { known, all, matched } = reconciled(payments, shuffled(lines, order));
        expect(kindsOf(allItems(known, all, matched))).toEqual(expected.toSorted());
      }),
      { numRuns: 500 },
    );
  });

  it('posts of each payment exactly what its lines that count say', () => {
    fc.assert(
      fc.property(sales, (payments) => {
        const { all, matched } = reconciled(payments, payments.flatMap(linesOf));
        const posted = matched.reduce(
          (sum, { posts }) => sum + (posts?.kind === 'settled' ? posts.amountCents - posts.feeCents : 0),
          0,
        );
        const moved = all
          .filter(({ kind }) => kind !== 'sale')
          .reduce((sum, { netCents }) => sum + netCents, 0);
        expect(posted).toBe(moved);
      }),
    );
  });

  it('explains every line of a charge that was given back, by its id or its reference, and posts only the fee of it', () => {
    const reversals = fc.record({
      payment: sold.map((one) => ({ ...one, refundCents: one.amountCents })),
      // Also a second charge, beside the payment's own.
      isSecond: fc.boolean(),
      hasIds: fc.boolean(),
      order: fc.infiniteStream(fc.nat()),
    });
    fc.assert(
      fc.property(reversals, ({ payment, isSecond, hasIds, order }) => {
        const known = { payments: [givenBack(payment, isSecond)], earlierLineIds: [] };
        const reversed = linesOf(payment, 0).map((line) => ({
          ...line,
          lineId: `reversed-${line.lineId}`,
          gatewayTransactionId: hasIds || isSecond ? 'ch-reversed' : null,
        }));
        const own = isSecond ? linesOf({ ...payment, refundCents: 0 }, 0) : [];
        const all = numbered(shuffled([...own, ...reversed], order));
        const matched = matchLines(all, known, OPTIONS);
        expect(allItems(known, all, matched)).toEqual([]);
        expect(matched.some(({ isFinding }) => isFinding)).toBe(false);
        const posted = matched
          .filter(({ number }) => all[number - 1]?.lineId.startsWith('reversed-'))
          .flatMap(({ posts }) => (posts?.kind === 'settled' ? posts : []));
        expect(posted.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
        expect(posted.reduce((sum, { feeCents }) => sum + feeCents, 0)).toBe(payment.feeCents);
      }),
    );
  });

  it('reports a charge that was given back in part, one that still waits to be, and a repeated line of one', () => {
    const payment = { amountCents: 10_000, feeCents: 300, refundCents: 10_000 };
    const [sale, settled, refund] = linesOf(payment, 0).map((line) => ({
      ...line,
      gatewayTransactionId: 'ch-reversed',
    }));
    if (sale === undefined || settled === undefined || refund === undefined) throw new Error('no lines');
    const kinds = (known: KnownPayment, lines: readonly StatementLine[]) =>
      matchLines(numbered(lines), { payments: [known], earlierLineIds: [] }, OPTIONS).flatMap(({ items }) =>
        items.map(({ kind }) => kind),
      );
    const reversed = givenBack(payment, false);
    expect(kinds(reversed, [{ ...sale, amountCents: 9_000, netCents: 8_700 }])).toEqual(['amount_differs']);
    expect(kinds(reversed, [refund, { ...refund, lineId: 'again' }])).toEqual(['unknown_to_us']);
    expect(kinds(reversed, [refund, refund])).toEqual(['twice']);
    expect(kinds(reversed, [{ ...settled, currency: 'USD' }])).toEqual(['currency_differs']);
    expect(kinds({ ...reversed, refunds: [] }, [sale, settled])).toEqual([
      'status_differs',
      'status_differs',
    ]);
  });

  it('knows our reference of a capture as that of its charge: with no id it is the charge, with another id a second one', () => {
    const payment = { amountCents: 10_000, feeCents: 300, refundCents: 0 };
    const captured = linesOf(payment, 0).map((line) => ({ ...line, reference: 'payment-0-1-capture' }));
    const kindsAt = (id: string | null) => {
      const lines = captured.map((line) => ({ ...line, gatewayTransactionId: id }));
      return reconciled([payment], lines).matched.flatMap(({ items }) => items.map(({ kind }) => kind));
    };
    expect(kindsAt(null)).toEqual([]);
    expect(kindsAt('ch-0')).toEqual([]);
    expect(kindsAt('ch-second')).toEqual(['charged_twice', 'charged_twice']);
  });

  it('matches lines without any reference by amount and time, if only one payment is possible', () => {
    fc.assert(
      fc.property(fc.uniqueArray(sold, { selector: (one) => one.amountCents, minLength: 1 }), (payments) => {
        const anonymous = payments
          .flatMap((payment, index) => linesOf({ ...payment, refundCents: 0 }, index))
          .map((line) => ({ ...line, reference: null, gatewayTransactionId: null }));
        const withoutRefunds = payments.map((payment) => ({ ...payment, refundCents: 0 }));
        const { known, all, matched } = reconciled(withoutRefunds, anonymous);
        expect(allItems(known, all, matched)).toEqual([]);
        expect(matched.every(({ state }) => state === 'matched')).toBe(true);
      }),
    );
  });
});

/** A payment whose charge was given back: the only one, which was made too late, or a second one. */
function givenBack(payment: Sold, isSecond: boolean): KnownPayment {
  const known = paymentOf({ ...payment, refundCents: 0 }, 0);
  const reversal = {
    attemptId: 'refund-0',
    reference: 'payment-0-1-r',
    amountCents: payment.amountCents,
    isMatched: false,
    reversed: { attemptId: 'charge-0', gatewayTransactionId: 'ch-reversed' },
  };
  if (isSecond) return { ...known, refunds: [reversal] };
  return {
    ...known,
    charges: known.charges.map((charge) => ({ ...charge, gatewayTransactionId: null, status: 'abandoned' })),
    ...{ refunds: [reversal], received: [], receivables: [] },
  };
}

function wire(line: StatementLine): WireStatementLine {
  return {
    id: line.lineId,
    kind: line.kind,
    day: line.day,
    reference: line.reference,
    charge_id: line.gatewayTransactionId,
    dispute_id: line.disputeId,
    amount: line.amountCents,
    fee: line.feeCents,
    net: line.netCents,
    currency: line.currency,
    installment: line.installment,
    occurred_at: line.occurredAt?.toISOString() ?? null,
  };
}

function unwire(line: WireStatementLine): StatementLine {
  return {
    lineId: line.id,
    kind: line.kind,
    day: line.day,
    reference: line.reference,
    gatewayTransactionId: line.charge_id,
    disputeId: line.dispute_id,
    amountCents: line.amount,
    feeCents: line.fee,
    netCents: line.net,
    currency: line.currency,
    installment: line.installment,
    occurredAt: line.occurred_at === null ? null : new Date(line.occurred_at),
  };
}

function shuffled<Value>(values: readonly Value[], order: fc.Stream<number>): Value[] {
  const keys = [...order.take(values.length)];
  return values
    .map((value, index) => ({ value, key: keys[index] ?? 0 }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ value }) => value);
}
