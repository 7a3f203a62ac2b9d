import { z } from 'zod';
import { GATEWAY_SLUGS, type GatewaySlug } from '../domain/shared/gateway-slug';

const MAX_SECONDS = 31 * 24 * 60 * 60;

/** `refuse` closes every connection without a response, `503` answers with an error, `hang` never responds. */
const outageKind = z.enum(['refuse', '503', 'hang']);
export type OutageKind = z.output<typeof outageKind>;

/** `POST /_admin/outages`. The gateway is a slug or `all`. */
export const outageBody = z
  .strictObject({
    gateway: z.enum([...GATEWAY_SLUGS, 'all']).optional(),
    all: z.literal(true).optional(),
    seconds: z.number().positive().max(MAX_SECONDS),
    how: outageKind,
  })
  .refine(
    ({ gateway, all }) => (gateway === undefined) !== (all === undefined),
    'must name a gateway or all of them',
  );

interface Outage {
  readonly how: OutageKind;
  /** Epoch ms. */
  readonly endsAt: number;
}

/** The gateways that are out of service. They are kept in memory, so a restart ends every outage. */
export class Outages {
  private readonly outages = new Map<GatewaySlug, Outage>();

  constructor(private readonly now: () => Date = () => new Date()) {}

  /** Replaces an earlier outage of the same gateways. */
  start({ gateway = 'all', seconds, how }: z.output<typeof outageBody>): {
    readonly gateways: readonly GatewaySlug[];
    readonly endsAt: Date;
  } {
    const endsAt = new Date(this.now().getTime() + seconds * 1000);
    const gateways = gateway === 'all' ? GATEWAY_SLUGS : [gateway];
    for (const slug of gateways) this.outages.set(slug, { how, endsAt: endsAt.getTime() });
    return { gateways, endsAt };
  }

  /** Null if the gateway is in service. */
  at(gateway: GatewaySlug): OutageKind | null {
    const outage = this.outages.get(gateway);
    return outage !== undefined && outage.endsAt > this.now().getTime() ? outage.how : null;
  }

  clear(): void {
    this.outages.clear();
  }
}
