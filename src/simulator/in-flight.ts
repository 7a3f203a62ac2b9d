import type { GatewaySlug } from '../domain/shared/gateway-slug';

export interface PendingWork {
  readonly gateway: GatewaySlug;
  readonly reference: string;
  /** The charge it acts on; null when it makes a new one. */
  readonly chargeId: string | null;
  /** Null where the key is ignored. */
  readonly idempotencyKey: string | null;
}

/** Requests that were received and may still commit: while one is here, nobody can say that its charge does not exist. */
export class InFlight {
  private readonly work = new Set<PendingWork>();

  /** Returns the function that ends it: it has committed, or it never will. */
  begin(work: PendingWork): () => void {
    this.work.add(work);
    return () => void this.work.delete(work);
  }

  hasKey(gateway: GatewaySlug, key: string): boolean {
    return this.some((work) => work.gateway === gateway && work.idempotencyKey === key);
  }

  hasReference(gateway: GatewaySlug, reference: string): boolean {
    return this.some((work) => work.gateway === gateway && work.reference === reference);
  }

  hasCharge(chargeId: string): boolean {
    return this.some((work) => work.chargeId === chargeId);
  }

  private some(test: (work: PendingWork) => boolean): boolean {
    for (const work of this.work) if (test(work)) return true;
    return false;
  }
}
