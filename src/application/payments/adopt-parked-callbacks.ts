import type { GatewayCallbackRepository } from '../../persistence/payments/gateway-callback-repository';
import type { ParkedCallbackRepository } from '../../persistence/payments/parked-callback-repository';
import type { Database } from '../../persistence/sql/transaction';

export interface AdoptParkedCallbacksDeps {
  readonly db: Database;
  readonly callbacks: GatewayCallbackRepository;
  readonly parkedCallbacks: ParkedCallbackRepository;
}

/**
 * Stores at most `limit` parked callbacks, whose charge is known by now, with its payment: as unsigned ones, because
 * nothing of them was verified; returns how many. The payment's workflow is signalled as for any stored callback.
 */
export async function adoptParkedCallbacks(
  { db, callbacks, parkedCallbacks }: AdoptParkedCallbacksDeps,
  limit: number,
  now: Date,
): Promise<number> {
  await parkedCallbacks.deleteExpired(limit, now);
  return db.inTransaction(async (tx) => {
    const known = await parkedCallbacks.takeKnown(limit, tx);
    for (const parked of known) {
      const name = { reference: null, gatewayTransactionId: parked.gatewayTransactionId };
      const subject = await callbacks.findSubject(parked.gateway, name, parked.sign, tx);
      if (subject === null) continue;
      const unverified = {
        trusted: false,
        reportedState: null,
        refundCents: null,
        dispute: null,
        body: null,
        headers: {},
      } as const;
      await callbacks.insert({ ...parked, ...unverified, subject }, null, tx);
    }
    return known.length;
  });
}
