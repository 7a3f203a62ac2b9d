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
 * nothing of them was verified. The payment's workflow is signalled as for any stored callback.
 */
export async function adoptParkedCallbacks(
  { db, callbacks, parkedCallbacks }: AdoptParkedCallbacksDeps,
  limit: number,
  now: Date,
): Promise<void> {
  await parkedCallbacks.deleteExpired(limit, now);
  await db.inTransaction(async (tx) => {
    for (const parked of await parkedCallbacks.takeKnown(limit, tx)) {
      const name = { reference: null, gatewayTransactionId: parked.gatewayTransactionId };
      const subject = await callbacks.findSubject(parked.gateway, name, tx);
      if (subject === null) continue;
      const unverified = {
        trusted: false,
        reportedState: null,
        refundCents: null,
        body: null,
        headers: {},
      } as const;
      await callbacks.insert({ ...parked, ...unverified, subject }, null, tx);
    }
  });
}
