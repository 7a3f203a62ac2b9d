import fc from 'fast-check';
import type { KnownPayment, KnownRecords } from '../../../../src/domain/settlement/known-records';
import type { MatchedLine, NumberedLine } from '../../../../src/domain/settlement/match-lines';
import { netOf, type StatementLine } from '../../../../src/domain/settlement/statement-line';
import {
  compareExpected,
  compareFee,
  type ExpectedAmount,
} from '../../../../src/domain/settlement/compare-expected';
import type { SettlementItem } from '../../../../src/domain/settlement/settlement-item';

/** Monday, 2 March 2026, noon in Brasília. */
export const DAY = '2026-03-02';
const NOON = new Date('2026-03-02T15:00:00Z');
export const EVERY_DAY_IS_A_BANK_DAY = (day: string): string => day;

export interface Sold {
  readonly amountCents: number;
  readonly feeCents: number;
  readonly refundCents: number;
}

export const sold = fc
  .record({
    amountCents: fc.integer({ min: 1_000, max: 1_000_000 }),
    feePercent: fc.integer({ min: 0, max: 10 }),
    refundPercent: fc.constantFrom(0, 30, 100),
  })
  .map(({ amountCents, feePercent, refundPercent }): Sold => ({
    amountCents,
    feeCents: Math.round((amountCents * feePercent) / 100),
    refundCents: Math.round((amountCents * refundPercent) / 100),
  }));

export function paymentOf({ amountCents, refundCents }: Sold, index: number): KnownPayment {
  const transactionId = `payment-${index}`;
  const expected = { postedAt: NOON, matchedCents: 0, isMatched: false };
  const receivable = { ...expected, expectedOn: DAY, installment: null };
  return {
    transactionId,
    currency: 'BRL',
    charges: [
      {
        attemptId: `charge-${index}`,
        reference: `${transactionId}-1`,
        gatewayTransactionId: `ch-${index}`,
        status: 'approved',
        captureReferences: [`${transactionId}-1-capture`],
      },
    ],
    refunds:
      refundCents === 0
        ? []
        : [
            {
              attemptId: `refund-${index}`,
              reference: `${transactionId}-1-r`,
              amountCents: refundCents,
              isMatched: false,
              reversed: null,
            },
          ],
    received: [{ ...expected, entryId: `received-${index}`, amountCents }],
    receivables: [
      { ...receivable, entryId: `received-${index}`, posting: 1, amountCents },
      ...(refundCents === 0
        ? []
        : [{ ...receivable, entryId: `refunded-${index}`, posting: 1, amountCents: -refundCents }]),
    ],
    disputeIds: [],
  };
}

/** What a gateway without errors says of the payment. */
export function linesOf({ amountCents, feeCents, refundCents }: Sold, index: number): StatementLine[] {
  const line = {
    day: DAY,
    reference: `payment-${index}-1`,
    gatewayTransactionId: `ch-${index}`,
    disputeId: null,
    amountCents,
    feeCents,
    netCents: amountCents - feeCents,
    currency: 'BRL',
    installment: null,
    occurredAt: NOON,
  };
  const refund = { reference: `payment-${index}-1-r`, amountCents: refundCents, feeCents: 0 };
  return [
    { ...line, lineId: `sale-${index}`, kind: 'sale' },
    { ...line, lineId: `settled-${index}`, kind: 'settled' },
    ...(refundCents === 0
      ? []
      : [
          {
            ...line,
            ...refund,
            lineId: `refund-${index}`,
            kind: 'refund' as const,
            netCents: netOf({ kind: 'refund', ...refund }),
          },
        ]),
  ];
}

export function numbered(lines: readonly StatementLine[]): NumberedLine[] {
  return lines.map((line, index) => ({ ...line, number: index + 1 }));
}

/** The items of lines, and those of what is expected on the day. */
export function allItems(
  known: KnownRecords,
  lines: readonly NumberedLine[],
  matched: readonly MatchedLine[],
): SettlementItem[] {
  const byNumber = new Map(lines.map((line) => [line.number, line]));
  const lineOf = ({ number }: MatchedLine) => byNumber.get(number) ?? missingLine();
  const about = (entryId: string, posting: number | null) =>
    matched.filter(({ expected }) => expected?.entryId === entryId && expected.posting === posting);
  const items = known.payments.flatMap((payment) => {
    const { transactionId, currency, received, receivables } = payment;
    const compared = [...received.map((one) => ({ ...one, posting: null })), ...receivables].map(
      ({ entryId, posting, amountCents }): ExpectedAmount => {
        const found = about(entryId, posting);
        const linesCents =
          found.length === 0 ? null : found.reduce((sum, one) => sum + lineOf(one).amountCents, 0);
        const allCount = found.every(({ counts }) => counts);
        const lineNumber = found.at(-1)?.number ?? null;
        return {
          ref: { entryId, posting },
          transactionId,
          currency,
          amountCents,
          linesCents,
          allCount,
          lineNumber,
        };
      },
    );
    const sales = received.flatMap(({ entryId }) => about(entryId, null)).map(lineOf);
    const fees = receivables.flatMap(({ entryId, posting, amountCents }) =>
      about(entryId, posting).map((one) => ({
        ...{ ref: { entryId, posting }, transactionId, currency, amountCents, lineNumber: one.number },
        settledCents: lineOf(one).amountCents,
        feeCents: lineOf(one).feeCents,
        saleCents: sales.reduce((sum, sale) => sum + sale.amountCents, 0),
        saleFeeCents: sales.reduce((sum, sale) => sum + sale.feeCents, 0),
        kind: lineOf(one).kind,
      })),
    );
    return [
      ...compared.map(compareExpected),
      ...fees.filter(({ kind }) => kind === 'settled').map(compareFee),
    ];
  });
  return [...matched.flatMap((one) => one.items), ...items.filter((item) => item !== null)];
}

function missingLine(): never {
  throw new Error('a matched line has a line');
}
