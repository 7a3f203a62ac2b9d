import type { GatewaySlug } from '../domain/shared/gateway-slug';

export interface InFlightRequest {
  readonly gateway: GatewaySlug;
  readonly reference: string;
  /** The charge of the operation; null for a new charge. */
  readonly chargeId: string | null;
  /** Null if the key is ignored. */
  readonly idempotencyKey: string | null;
}

/** Received requests that may still commit. While one is in flight, an inquiry cannot prove that its charge is absent. */
export class InFlightRequests {
  private readonly requests = new Set<InFlightRequest>();

  /** Returns the function to call once the request has committed or can no longer commit. */
  begin(request: InFlightRequest): () => void {
    this.requests.add(request);
    return () => void this.requests.delete(request);
  }

  hasKey(gateway: GatewaySlug, key: string): boolean {
    return this.some((request) => request.gateway === gateway && request.idempotencyKey === key);
  }

  hasReference(gateway: GatewaySlug, reference: string): boolean {
    return this.some((request) => request.gateway === gateway && request.reference === reference);
  }

  hasCharge(chargeId: string): boolean {
    return this.some((request) => request.chargeId === chargeId);
  }

  private some(test: (request: InFlightRequest) => boolean): boolean {
    for (const request of this.requests) if (test(request)) return true;
    return false;
  }
}
