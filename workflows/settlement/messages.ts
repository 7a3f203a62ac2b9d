import type { SettlementStatus, SettlementToStart } from '../../src/domain/settlement/settlement';

/** Only ids and a day: activities read everything else from Postgres. */
export type SettlementInput = SettlementToStart;

/** The state of a settlement after one step of its workflow. */
export interface SettlementStep {
  readonly status: SettlementStatus;
  readonly lines: number;
  /** Until the next step, in ms; null if nothing is left. */
  readonly pauseMs: number | null;
}

export interface SettlementResult {
  readonly status: SettlementStatus | null;
}

/** The platform's account is shared by companies, so its settlements name the company. */
export function settlementWorkflowId({ companyId, gateway, accountId, day }: SettlementInput): string {
  return `settlement/${gateway}/${accountId ?? `platform-${companyId}`}/${day}`;
}
