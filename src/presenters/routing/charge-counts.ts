import { approvalRate, resultOfCharge } from '../../domain/dashboard/approval-rate';
import type { AttemptStatus } from '../../domain/payments/payment';
import type { components } from '../../http/generated/openapi';

/** Charges with the same status. */
export interface CountedByStatus {
  readonly status: AttemptStatus;
  readonly charges: number;
}

/** How many charges there are, by what came of them. */
export function presentChargeCounts(
  counted: readonly CountedByStatus[],
): Omit<components['schemas']['DashboardApproval'], 'gateway'> {
  const count = (matches: (status: AttemptStatus) => boolean): number =>
    counted.filter(({ status }) => matches(status)).reduce((sum, { charges }) => sum + charges, 0);
  const all = count(() => true);
  const approved = count((status) => resultOfCharge(status) === 'approved');
  const declined = count((status) => status === 'declined');
  const errors = count((status) => resultOfCharge(status) === 'refused') - declined;
  return {
    charges: all,
    approved,
    declined,
    errors,
    open: all - approved - declined - errors,
    rate: approvalRate(
      counted.map(({ status, charges }) => ({ result: resultOfCharge(status), count: charges })),
    ),
  };
}
