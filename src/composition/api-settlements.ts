import type { Logger } from 'pino';
import { ImportStatement } from '../application/settlement/import-statement';
import { SettleItem } from '../application/settlement/settle-item';
import type { Config } from '../config';
import type { SettlementRouteDeps } from '../http/routes/settlement/settlement-routes';
import { MonthlyReport } from '../persistence/read-models/monthly-report';
import { SettlementEvidence } from '../persistence/read-models/settlement-evidence';
import { SettlementList } from '../persistence/read-models/settlement-list';
import { SettlementWorkflows } from '../temporal/settlements';
import type { AppContext } from './app-context';

export function createSettlements(
  config: Config,
  context: AppContext,
  log: Pick<Logger, 'warn'>,
): SettlementRouteDeps {
  const workflows = new SettlementWorkflows(context.temporal, config.temporal.taskQueue);
  const settlements = new SettlementList(context.db);
  return {
    settlements,
    settlementEvidence: new SettlementEvidence(context.db),
    monthlyReport: new MonthlyReport(context.db),
    importStatement: new ImportStatement({
      ...context,
      wake: (settlement) => workflows.wake(settlement),
      reportError: (error) =>
        log.warn({ err: error }, 'settlement workflow signal failed; sweeper will retry'),
    }),
    settleItem: new SettleItem({ ...context, settlementList: settlements }),
  };
}
