import { parseTransactionId, requestPartOf, type TransactionId } from '../../domain/shared/ids';
import type { GatewayCallbackRepository } from '../../persistence/payments/gateway-callback-repository';
import type {
  Comparison,
  ChargeInDatabase,
  GatewayCharge,
  RestoredChargeRepository,
} from '../../persistence/restore/restored-charge-repository';
import { restoredReport } from '../../persistence/restore/restored-report';

export interface ImportChargesDeps {
  readonly restoredCharges: RestoredChargeRepository;
  readonly callbacks: GatewayCallbackRepository;
  readonly now: () => Date;
}

const REFERENCE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d{1,2}$/;

/**
 * Compares what a gateway reports of a charge with the database after a restore. If they differ, the payment's workflow is told as by a
 * callback of the gateway, which was lost: it inquires and records the answer.
 */
export class ImportCharges {
  constructor(private readonly deps: ImportChargesDeps) {}

  async execute(restoreId: number, reported: GatewayCharge): Promise<Comparison> {
    const { restoredCharges, now } = this.deps;
    const transactionId = transactionIdOf(reported.reference);
    const recorded = transactionId && (await restoredCharges.findRecorded(transactionId, reported.reference));
    const comparison = compare(reported, recorded);
    const known = {
      companyId: recorded?.companyId ?? null,
      requestPart: transactionId && requestPartOf(transactionId),
    };
    await restoredCharges.save(restoreId, reported, known, comparison, now());
    if (comparison.state === 'waiting' && recorded?.hasAttempt === true)
      await this.wake(restoreId, reported, recorded);
    return comparison;
  }

  /** With each import again: the report may have come while the charge had no result yet. */
  private async wake(
    restoreId: number,
    reported: GatewayCharge,
    { paymentMethod }: ChargeInDatabase,
  ): Promise<void> {
    const { callbacks, now } = this.deps;
    const { gateway, reference, gatewayTransactionId } = reported;
    const subject = await callbacks.findSubject(gateway, { reference, gatewayTransactionId }, null);
    if (subject === null) return;
    await callbacks.insert(restoredReport(restoreId, reported, { subject, paymentMethod }, now()));
  }
}

/** Null if the reference is none of ours. */
function transactionIdOf(reference: string): TransactionId | null {
  const [, id] = REFERENCE.exec(reference) ?? [];
  return id === undefined ? null : parseTransactionId(id);
}

function compare(reported: GatewayCharge, recorded: ChargeInDatabase | null): Comparison {
  if (reported.status === 'declined') return { state: 'matched' };
  if (recorded === null) {
    return reported.status === 'refunded' || reported.status === 'canceled'
      ? { state: 'settled', reason: 'it holds no money; the request that made it gets it again' }
      : { state: 'waiting', problem: 'no payment has it' };
  }
  if (!recorded.hasAttempt) {
    return recorded.status === 'processing'
      ? { state: 'settled', reason: 'its payment takes it over with its next step' }
      : { state: 'waiting', problem: `its payment is ${recorded.status} and has no such attempt` };
  }
  const agrees =
    recorded.gatewayTransactionId === reported.gatewayTransactionId &&
    recorded.capturedCents === reported.capturedCents &&
    recorded.refundedCents === reported.refundedCents &&
    (recorded.status === reported.status || (reported.status === 'canceled' && recorded.status === 'failed'));
  if (agrees) return { state: 'matched' };
  if (recorded.hasRequested)
    return { state: 'settled', reason: 'its requested operation is inquired about before it is sent' };
  const { status, capturedCents, refundedCents } = recorded;
  const problem = `its payment is ${status}, captured ${capturedCents}, refunded ${refundedCents}; the gateway has ${reported.status}, captured ${reported.capturedCents}, refunded ${reported.refundedCents}`;
  return { state: 'waiting', problem };
}
