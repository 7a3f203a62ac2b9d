import type { ImportStatement } from '../../../application/settlement/import-statement';
import type { SettleItem } from '../../../application/settlement/settle-item';
import { auditActorOf } from '../../../domain/companies/audit-actor';
import { notFound } from '../../../domain/shared/errors';
import { parseSettlementId } from '../../../domain/shared/ids';
import { startOfMonth } from '../../../domain/time/local-time';
import { BRASILIA } from '../../../domain/time/timezone';
import type { MonthlyReport } from '../../../persistence/read-models/monthly-report';
import type { SettlementEvidence } from '../../../persistence/read-models/settlement-evidence';
import type { SettlementList } from '../../../persistence/read-models/settlement-list';
import { csvHeader, csvLines } from '../../../presenters/exports/csv';
import { presentPage } from '../../../presenters/page';
import {
  presentItemDetail,
  presentMonthlyReport,
  presentSettlement,
  presentSettlementItem,
  REPORT_COLUMNS,
  reportRows,
} from '../../../presenters/settlement/settlement';
import type { RouteHandlers } from '../../server/route';

export interface SettlementRouteDeps {
  readonly settlements: SettlementList;
  readonly settlementEvidence: SettlementEvidence;
  readonly monthlyReport: MonthlyReport;
  readonly importStatement: ImportStatement;
  readonly settleItem: SettleItem;
}

type SettlementRoutes =
  | 'listSettlements'
  | 'getSettlement'
  | 'importStatement'
  | 'listSettlementItems'
  | 'getSettlementItem'
  | 'settleSettlementItem'
  | 'getMonthlyReport'
  | 'downloadMonthlyReport';

/** Statements, how they differ from the records, and the reports that they confirm. */
export function settlementRoutes({
  settlements,
  settlementEvidence,
  monthlyReport,
  importStatement,
  settleItem,
}: SettlementRouteDeps): Pick<RouteHandlers, SettlementRoutes> {
  const load = async (companyId: number, id: string) => {
    const settlement = await settlements.find(companyId, id);
    if (settlement === null) throw notFound();
    return presentSettlement(settlement);
  };
  const report = async (companyId: number, month: string) => {
    const first = `${month}-01`;
    const period = { from: startOfMonth(BRASILIA, first), to: startOfMonth(BRASILIA, first, 1) };
    const [rows, reconciledUntil] = await Promise.all([
      monthlyReport.load(companyId, period),
      settlements.reconciledUntil(companyId),
    ]);
    return presentMonthlyReport({ month, reconciledUntil, ...rows });
  };
  return {
    listSettlements: async ({ company, query }) => {
      const { gateway, account_id: accountId, day, status, page: number, per_page: size } = query;
      const page = { number, size };
      const [found, reconciledUntil, openItems] = await Promise.all([
        settlements.load(company.id, { gateway, accountId, day, status }, page),
        settlements.reconciledUntil(company.id),
        settlements.countOpen(company.id),
      ]);
      const body = presentPage(found, page, presentSettlement);
      return { status: 200, body: { ...body, reconciled_until: reconciledUntil, open_items: openItems } };
    },

    getSettlement: async ({ company, params }) => {
      const id = parseSettlementId(params.id);
      if (id === null) throw notFound();
      return { status: 200, body: { data: await load(company.id, id) } };
    },

    importStatement: async (request) => {
      const { gateway, day, account_id: accountId = null } = request.query;
      const upload = { gateway, day, accountId, chunks: request.body };
      const { id, isNew } = await importStatement.execute(auditActorOf(request), upload);
      return { status: isNew ? 202 : 200, body: { data: await load(request.company.id, id) } };
    },

    listSettlementItems: async ({ company, query }) => {
      const {
        status,
        kind,
        gateway,
        day,
        settlement_id: settlementId,
        transaction_id: transactionId,
      } = query;
      const page = { number: query.page, size: query.per_page };
      const filter = { status, kind, gateway, day, settlementId, transactionId };
      const found = await settlements.loadItems(company.id, filter, page);
      return { status: 200, body: presentPage(found, page, presentSettlementItem) };
    },

    getSettlementItem: async ({ company, params }) => {
      const id = parseSettlementId(params.id);
      const item = id === null ? null : await settlements.findItem(company.id, id);
      if (item === null) throw notFound();
      const evidence = await settlementEvidence.load(company.id, item.id);
      return { status: 200, body: { data: presentItemDetail(item, evidence) } };
    },

    settleSettlementItem: async (request) => {
      const id = parseSettlementId(request.params.id);
      if (id === null) throw notFound();
      const item = await settleItem.execute(auditActorOf(request), id, request.body.reason);
      return { status: 200, body: { data: presentSettlementItem(item) } };
    },

    getMonthlyReport: async ({ company, query }) => {
      return { status: 200, body: { data: await report(company.id, query.month) } };
    },

    downloadMonthlyReport: async ({ company, query }) => {
      const { month, delimiter = 'comma' } = query;
      const rows = reportRows(await report(company.id, month));
      const text = csvHeader(REPORT_COLUMNS, delimiter) + csvLines(REPORT_COLUMNS, rows, delimiter);
      return { status: 200, stream: { type: 'text/csv; charset=utf-8', chunks: once(text) } };
    },
  };
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
