import type { ReportedDispute } from '../../../../src/domain/disputes/dispute';

export interface TestReport extends Partial<Pick<ReportedDispute, 'kind' | 'status' | 'returnedCents'>> {
  readonly amountCents?: number;
  /** When the dispute became so, in seconds. */
  readonly second?: number;
  /** Seconds from the start until evidence is due. */
  readonly dueIn?: number | null;
}

const START = Date.parse('2026-06-10T12:00:00Z');

export function disputeReport({ second = 0, dueIn = null, ...change }: TestReport): ReportedDispute {
  return {
    kind: 'chargeback',
    status: 'opened',
    amountCents: 1_000,
    reasonCode: null,
    evidenceDueAt: dueIn === null ? null : new Date(START + dueIn * 1_000),
    at: new Date(START + second * 1_000),
    ...change,
  };
}
