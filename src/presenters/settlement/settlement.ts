import type { components } from '../../http/generated/openapi';
import type { CsvColumn } from '../exports/csv';

type Schemas = components['schemas'];

interface PresentableSettlement extends Pick<
  Schemas['Settlement'],
  'id' | 'gateway' | 'day' | 'source' | 'status' | 'lines' | 'problem'
> {
  readonly accountId: string | null;
  readonly openItems: number;
  readonly totals: readonly Schemas['SettlementTotal'][] | null;
  readonly completedAt: Date | null;
  readonly createdAt: Date;
}

export function presentSettlement(settlement: PresentableSettlement): Schemas['Settlement'] {
  const { id, gateway, day, source, status, lines, problem } = settlement;
  return {
    id,
    gateway,
    account_id: settlement.accountId,
    day,
    source,
    status,
    lines,
    problem,
    open_items: settlement.openItems,
    totals: [...(settlement.totals ?? [])],
    completed_at: settlement.completedAt?.toISOString() ?? null,
    created_at: settlement.createdAt.toISOString(),
  };
}

interface PresentableItem extends Pick<
  Schemas['SettlementItem'],
  'id' | 'gateway' | 'day' | 'kind' | 'status' | 'line' | 'reference' | 'currency' | 'reason'
> {
  readonly settlementId: string;
  readonly lineId: string | null;
  readonly gatewayTransactionId: string | null;
  readonly transactionId: string | null;
  readonly expectedCents: number | null;
  readonly actualCents: number | null;
  readonly settledAt: Date | null;
  readonly createdAt: Date;
}

export function presentSettlementItem(item: PresentableItem): Schemas['SettlementItem'] {
  const { id, gateway, day, kind, status, line, reference, currency, reason } = item;
  return {
    id,
    settlement_id: item.settlementId,
    gateway,
    day,
    kind,
    status,
    line,
    line_id: item.lineId,
    reference,
    gateway_transaction_id: item.gatewayTransactionId,
    transaction_id: item.transactionId,
    currency,
    expected_amount: item.expectedCents,
    actual_amount: item.actualCents,
    reason,
    settled_at: item.settledAt?.toISOString() ?? null,
    created_at: item.createdAt.toISOString(),
  };
}

interface PresentableLine {
  readonly number: number;
  readonly lineId: string;
  readonly kind: Schemas['StatementLine']['kind'];
  readonly day: string;
  readonly reference: string | null;
  readonly gatewayTransactionId: string | null;
  readonly disputeId: string | null;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly netCents: number;
  readonly currency: string;
  readonly installment: number | null;
  readonly occurredAt: Date | null;
}

type Evidence = Schemas['SettlementItemEvidence'];

interface PresentableEvidence {
  readonly line: PresentableLine | null;
  readonly sameLines: ReadonlyArray<{
    readonly settlementId: string;
    readonly day: string;
    readonly number: number;
  }>;
  readonly expected: {
    readonly kind: string;
    readonly postedAt: Date;
    readonly expectedOn: string | null;
    readonly installment: number | null;
  } | null;
  readonly attempts: ReadonlyArray<
    Pick<Evidence['attempts'][number], 'operation' | 'reference' | 'status'> & {
      readonly gatewayTransactionId: string | null;
      readonly amountCents: number;
      readonly createdAt: Date;
    }
  >;
}

export function presentItemDetail(
  item: PresentableItem,
  { line, sameLines, expected, attempts }: PresentableEvidence,
): Schemas['SettlementItemDetailResponse']['data'] {
  return {
    ...presentSettlementItem(item),
    evidence: {
      line: line === null ? null : presentLine(line),
      same_lines: sameLines.map(({ settlementId, day, number }) => ({
        settlement_id: settlementId,
        day,
        number,
      })),
      expected:
        expected === null
          ? null
          : {
              kind: expected.kind,
              posted_at: expected.postedAt.toISOString(),
              expected_on: expected.expectedOn,
              installment: expected.installment,
            },
      attempts: attempts.map(
        ({ operation, reference, gatewayTransactionId, status, amountCents, createdAt }) => ({
          operation,
          reference,
          gateway_transaction_id: gatewayTransactionId,
          status,
          amount: amountCents,
          created_at: createdAt.toISOString(),
        }),
      ),
    },
  };
}

function presentLine(line: PresentableLine): Schemas['StatementLine'] {
  const { number, kind, day, reference, currency, installment } = line;
  return {
    number,
    line_id: line.lineId,
    kind,
    day,
    reference,
    gateway_transaction_id: line.gatewayTransactionId,
    dispute_id: line.disputeId,
    amount: line.amountCents,
    fee: line.feeCents,
    net: line.netCents,
    currency,
    installment,
    occurred_at: line.occurredAt?.toISOString() ?? null,
  };
}

type Report = Schemas['MonthlyReportResponse']['data'];

interface PresentableReport {
  readonly month: string;
  readonly reconciledUntil: string | null;
  readonly gateways: ReadonlyArray<
    Omit<Schemas['MonthlyGatewayReport'], 'net' | 'paid_out'> & { readonly paidOut: number }
  >;
  readonly recipients: ReadonlyArray<
    Omit<Schemas['MonthlyRecipientReport'], 'net' | 'recipient_id'> & { readonly recipientId: string }
  >;
}

export function presentMonthlyReport(report: PresentableReport): Report {
  return {
    month: report.month,
    reconciled_until: report.reconciledUntil,
    gateways: report.gateways.map(({ paidOut, ...row }) => ({
      ...row,
      net: row.gross - row.refunds - row.disputes - row.fees,
      paid_out: paidOut,
    })),
    recipients: report.recipients.map(({ recipientId, ...row }) => ({
      ...row,
      recipient_id: recipientId,
      net: row.gross - row.refunds - row.disputes,
    })),
  };
}

type ReportRow = Partial<Schemas['MonthlyGatewayReport'] & Schemas['MonthlyRecipientReport']> & {
  readonly month: string;
};

/** The rows of a report, those of gateways first. */
export function reportRows({ month, gateways, recipients }: Report): ReportRow[] {
  return [...gateways, ...recipients].map((row) => ({ month, ...row }));
}

export const REPORT_COLUMNS: readonly CsvColumn<ReportRow>[] = [
  ['month', (row) => row.month],
  ['gateway', (row) => row.gateway],
  ['recipient_id', (row) => row.recipient_id],
  ['currency', (row) => row.currency],
  ['gross', (row) => row.gross],
  ['refunds', (row) => row.refunds],
  ['disputes', (row) => row.disputes],
  ['fees', (row) => row.fees],
  ['net', (row) => row.net],
  ['settled', (row) => row.settled],
  ['paid_out', (row) => row.paid_out],
];
