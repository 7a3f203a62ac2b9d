/** How many deliveries one process has in hand at once. */
export interface SlotLimits {
  /** Under way to one endpoint. */
  readonly perEndpoint: number;
  /** Under way to, or waiting their turn at, all endpoints of one company. */
  readonly perCompany: number;
  /** How long one waits its turn here. */
  readonly waitMs: number;
}

interface Endpoint {
  underWay: number;
  /** Each tells the next in line that it is its turn. */
  readonly line: Array<() => void>;
}

/**
 * Keeps a receiver that sleeps from holding every slot of the worker. A burst to a quick one waits its turn here for a
 * moment; what exceeds its company's share, or waits too long, is turned away and comes again.
 */
export class EndpointSlots {
  private readonly inHand = new Map<number, number>();
  private readonly endpoints = new Map<number, Endpoint>();

  constructor(private readonly limits: SlotLimits) {}

  /** Null when turned away; else call what is returned when done, once. */
  async take(companyId: number, endpointId: number): Promise<(() => void) | null> {
    const inHand = this.inHand.get(companyId) ?? 0;
    if (inHand >= this.limits.perCompany) return null;
    this.inHand.set(companyId, inHand + 1);
    const endpoint = this.endpoints.get(endpointId) ?? { underWay: 0, line: [] };
    this.endpoints.set(endpointId, endpoint);
    if (endpoint.underWay < this.limits.perEndpoint) endpoint.underWay += 1;
    else if (!(await this.turn(endpoint))) {
      this.leave(companyId);
      return null;
    }
    return () => {
      this.leave(companyId);
      this.pass(endpointId, endpoint);
    };
  }

  /** Waits in line. The place of whoever is done goes to the first in it. */
  private turn({ line }: Endpoint): Promise<boolean> {
    return new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(late);
        resolve(true);
      };
      const late = setTimeout(() => {
        line.splice(line.indexOf(go), 1);
        resolve(false);
      }, this.limits.waitMs);
      line.push(go);
    });
  }

  private pass(endpointId: number, endpoint: Endpoint): void {
    const next = endpoint.line.shift();
    if (next !== undefined) return next();
    endpoint.underWay -= 1;
    if (endpoint.underWay === 0) this.endpoints.delete(endpointId);
  }

  private leave(companyId: number): void {
    const left = (this.inHand.get(companyId) ?? 0) - 1;
    if (left === 0) this.inHand.delete(companyId);
    else this.inHand.set(companyId, left);
  }
}
