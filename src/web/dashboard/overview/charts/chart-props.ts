export interface VolumeChartProps {
  /** Amounts in cents. */
  readonly data: ReadonlyArray<{
    readonly date: string;
    readonly captured: number;
    readonly notCaptured: number;
  }>;
  readonly currency: string;
}

export interface ApprovalChartProps {
  /** The rate from 0 to 1; null without a result. */
  readonly data: ReadonlyArray<{ readonly date: string; readonly rate: number | null }>;
}

export interface OutcomeChartProps {
  readonly data: ReadonlyArray<{ readonly name: string; readonly value: number; readonly color: string }>;
  readonly total: number;
}
