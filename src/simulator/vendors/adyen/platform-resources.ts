import type { GatewaySlug } from '../../../domain/shared/gateway-slug';
import type { RecipientStore, StoredRecipient } from '../../recipients';

/** A legal entity without its personal data. */
export interface Entity {
  readonly id: string;
  readonly reference: string | null;
  readonly type: 'individual' | 'organization';
  /** The core's rule for the last digits of its document. */
  readonly status: StoredRecipient['status'];
}

export interface Holder {
  readonly id: string;
  readonly entityId: string;
  readonly reference: string | null;
  readonly platform: string | null;
  readonly capabilities: readonly string[];
}

/** Legal entities and account holders, in memory. Balance accounts are the core's recipients: a restart keeps those that have one. */
export class PlatformResources {
  readonly entities = new Map<string, Entity>();
  readonly holders = new Map<string, Holder>();
  private readonly restored = new Set<GatewaySlug>();

  constructor(private readonly recipients: RecipientStore) {}

  restore(gateway: GatewaySlug): void {
    if (this.restored.has(gateway)) return;
    this.restored.add(gateway);
    for (const { reference, status, wireData = {} } of this.recipients.newestFirst(gateway)) {
      const { holderId: id, entityId, type, platform = null, capabilities = '' } = wireData;
      if (id === undefined || entityId === undefined) continue;
      const isPerson = type !== 'organization';
      this.entities.set(entityId, {
        id: entityId,
        reference,
        status,
        type: isPerson ? 'individual' : 'organization',
      });
      this.holders.set(id, { id, entityId, reference, platform, capabilities: capabilities.split(' ') });
    }
  }

  recipientOf(gateway: GatewaySlug, isOf: (holder: Holder) => boolean): StoredRecipient | null {
    const ids = new Set([...this.holders.values()].filter(isOf).map(({ id }) => id));
    const recipients = this.recipients.newestFirst(gateway);
    return recipients.find(({ wireData }) => ids.has(wireData?.holderId ?? '')) ?? null;
  }
}

/** What is kept with a balance account. */
export function wireDataOf(entity: Entity, holder: Holder, currency: string): Record<string, string> {
  return {
    ...{ currency, type: entity.type, entityId: entity.id, holderId: holder.id },
    ...(holder.platform !== null && { platform: holder.platform }),
    capabilities: holder.capabilities.join(' '),
  };
}
