import type { SimulatorCommit } from '../charge-store';
import type { SimulatorRequestContext } from '../charges';
import type { SimulatorCore } from './adapter';

/**
 * The manual review of a vendor's risk analysis: the issuer has reserved the amount, and the pending operation, with `review` in
 * its data, captures or releases it. Its script is `pending_then` for the operation `charge`.
 */
export function leaveInReview(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  created: SimulatorCommit,
  approves = context.behavior.pending_then === 'executed',
): SimulatorCommit {
  const { charge } = created;
  const { pending_ms } = context.behavior;
  const outcome = core.charges[approves ? 'capture' : 'cancel'](
    {
      ...context,
      wireData: { ...context.wireData, review: true },
      idempotencyKey: null,
      behavior: { pending_then: 'executed', ...(pending_ms !== undefined && { pending_ms }) },
    },
    charge,
    {
      reference: `${charge.reference}-review`,
      amount: charge.amount,
      splits: [],
      reason: null,
      bank_account: null,
    },
  );
  return 'rejected' in outcome ? created : { charge: outcome.charge, operation: created.operation };
}
