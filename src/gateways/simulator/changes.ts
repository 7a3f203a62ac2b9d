import type { ReportedCharge, ReportedOperation } from '../../domain/payments/restored/reported-charge';
import type { ChangesPage, ChangesQuery } from '../restored/changes';
import type { GatewayContext } from '../gateway';
import { get } from './calls';
import { changesList, type ChangesList } from './wire-changes';

type Listed = ChangesList['data'][number];

/** The status of an operation that was carried out. */
const CARRIED_OUT = { capture: 'approved', cancel: 'canceled', refund: 'refunded' } as const;

export async function listSimulatorChanges(
  ctx: GatewayContext,
  { since, cursor }: ChangesQuery,
): Promise<ChangesPage> {
  const query = new URLSearchParams({
    changed_since: since.toISOString(),
    ...(cursor !== null && { after: cursor }),
  });
  const { data, next } = await get(ctx, `/charges?${query.toString()}`, changesList);
  return { charges: data.map(reportedCharge), nextCursor: next };
}

function reportedCharge(charge: Listed): ReportedCharge {
  return {
    gatewayTransactionId: charge.id,
    reference: charge.reference,
    status: charge.status === 'expired' ? 'canceled' : charge.status,
    amountCents: charge.amount,
    capturedCents: charge.captured_amount,
    refundedCents: charge.refunded_amount,
    changedAt: new Date(charge.changed_at),
    operations: charge.operations.flatMap(reportedOperation),
  };
}

/** Nothing for the charge itself, and for what was refused or has no result yet. */
function reportedOperation({
  reference,
  operation,
  status,
  amount,
}: Listed['operations'][number]): ReportedOperation[] {
  if (operation === 'charge' || operation === 'authorize' || status !== CARRIED_OUT[operation]) return [];
  return [{ reference, operation, amountCents: amount }];
}
