import type { CompanySign, Mode } from '../../domain/shared/mode';
import type { GatewayRegistry } from '../registry';

/** The gateways that a callback may come from, and whose charges it may be about. */
export interface CallbackSource {
  readonly registry: GatewayRegistry;
  readonly sign: CompanySign;
}

interface GatewayRegistriesOptions {
  /** Of the companies' own rows. */
  readonly ownMode: Mode;
  readonly own: GatewayRegistry;
  /** Of the other mode's data: the same object if they are the same gateways, null if the deployment has none for them. */
  readonly other: GatewayRegistry | null;
}

/**
 * The gateways of each mode. In production the data of the two modes have gateways of their own, and the only way to a gateway's
 * address, account or driver is the id of the company whose data it is for: a charge of test data cannot reach a live gateway.
 */
export class GatewayRegistries {
  constructor(private readonly options: GatewayRegistriesOptions) {}

  /** The gateways that serve the data of this company. @throws Error if the deployment has none for data of its mode */
  of(companyId: number): GatewayRegistry {
    const found = this.find(companyId);
    if (found === null)
      throw new Error(
        `no gateways for data that are not ${this.options.ownMode}: TEST_GATEWAY_URL is not set`,
      );
    return found;
  }

  /** The same; null if the deployment has none. */
  find(companyId: number): GatewayRegistry | null {
    return companyId > 0 ? this.options.own : this.options.other;
  }

  /**
   * Where a callback comes from by the mode that its address names. Without one, it comes from the deployment's own gateways, which in
   * the sandbox serve both modes. Null if the deployment has no gateways of that mode.
   */
  callbackSource(mode: Mode | null): CallbackSource | null {
    const { ownMode, own, other } = this.options;
    if (mode === null) return { registry: own, sign: other === own ? null : 1 };
    if (mode === ownMode) return { registry: own, sign: 1 };
    return other && { registry: other, sign: -1 };
  }
}
