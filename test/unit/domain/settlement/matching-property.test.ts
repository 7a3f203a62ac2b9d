import fc from 'fast-check';
import type { WireStatementLine } from '../../../../src/gateways/simulator/wire-statement';
import { matchLines } from '../../../../src/domain/settlement/match-lines';
import type { SettlementItemKind } from '../../../../src/domain/settlement/settlement-item';
import type { StatementLine } from '../../../../src/domain/settlement/statement-line';
import { canHave, plan, type StatementError } from '../../../../src/simulator/statements/statement-errors';
import { allItems, EVERY_DAY_IS_A_BANK_DAY, linesOf, numbered, paymentOf, sold } from './statement-model';

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
  const options = { nextBankDay: EVERY_DAY_IS_A_BANK_DAY, haveWaited: false, isLastTry: true };
  const all = numbered(lines);
  return { known, all, matched: matchLines(all, known, options) };
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
