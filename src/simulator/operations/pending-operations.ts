import type { ChargeStore, StoredCharge, StoredOperation } from '../charge-store';
import type { ChargeOperations } from '../charges';
import type { PendingResult } from '../scripts';

/** An operation that has got its result. */
export interface FinishedOperation {
  readonly charge: StoredCharge;
  readonly operation: StoredOperation;
}

/** Gives captures, cancels and refunds that a script left pending their result. */
export class PendingOperations {
  constructor(
    private readonly store: ChargeStore,
    private readonly charges: ChargeOperations,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** Finishes the oldest pending operation of a payment; null if it has none. `result`: as its script says if omitted. */
  finishNext(
    transactionId: string,
    wanted: StoredOperation['operation'] | undefined,
    result?: PendingResult,
  ): FinishedOperation | null {
    for (const charge of this.store.ofTransaction(transactionId)) {
      const operation = charge.operations.find(
        ({ pending, operation: kind }) => pending !== undefined && (wanted === undefined || kind === wanted),
      );
      if (operation !== undefined) return this.charges.finish(charge, operation, result);
    }
    return null;
  }

  /** Finishes the operations whose time has come, and returns their charges. */
  processDue(): StoredCharge[] {
    const now = this.now().toISOString();
    const changed: StoredCharge[] = [];
    for (const { id, gateway } of this.store.withPendingOperations()) {
      for (let due = this.nextDue(gateway, id, now); due !== null; due = this.nextDue(gateway, id, now)) {
        changed.push(this.charges.finish(due.charge, due.operation).charge);
      }
    }
    return changed;
  }

  private nextDue(gateway: StoredCharge['gateway'], id: string, now: string): FinishedOperation | null {
    const charge = this.store.find(gateway, id);
    const operation = charge?.operations.find(({ pending }) => (pending?.dueAt ?? '~') <= now);
    return charge === null || operation === undefined ? null : { charge, operation };
  }
}
