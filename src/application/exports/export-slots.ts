import { ApiError } from '../../domain/shared/errors';

/** How many exports may run at the same time in this process. */
interface ExportLimits {
  readonly perCompany: number;
  readonly total: number;
}

const LIMITS: ExportLimits = { perCompany: 2, total: 6 };
const RETRY_AFTER_S = 5;

/** Counts the exports that run, so that they leave the database and the CPU to payments. */
export class ExportSlots {
  private readonly running = new Map<number, number>();

  constructor(private readonly limits: ExportLimits = LIMITS) {}

  /**
   * Returns how to give the slot back.
   *
   * @throws ApiError `rate_limited`
   */
  acquire(companyId: number): () => void {
    const own = this.running.get(companyId) ?? 0;
    const total = [...this.running.values()].reduce((sum, count) => sum + count, 0);
    if (own >= this.limits.perCompany || total >= this.limits.total) {
      throw new ApiError('rate_limited', 'Too many exports are running.', undefined, RETRY_AFTER_S);
    }
    this.running.set(companyId, own + 1);
    return () => this.release(companyId);
  }

  private release(companyId: number): void {
    const left = (this.running.get(companyId) ?? 1) - 1;
    if (left === 0) this.running.delete(companyId);
    else this.running.set(companyId, left);
  }
}
