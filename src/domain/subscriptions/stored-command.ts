import type { NetworkIds } from '../shared/charge-initiation';
import type { PlanId, VaultCardId } from '../shared/ids';
import type { Payer } from '../shared/purchase-details';
import type { BillingAddress, CardSnapshot } from '../shared/payment-snapshot';
import type { SubscriptionCommand } from './subscription-commands';

export type CommandKind = SubscriptionCommand['kind'];

/** The card that a subscription charges, as stored. */
export interface CardOnFile {
  readonly card: CardSnapshot;
  readonly fingerprint: string;
  readonly vaultCardId: VaultCardId;
  readonly billingAddress: BillingAddress | null;
  /** What the request with a new card tells about the payer. */
  readonly payer?: Payer;
  /** The issuer has accepted the card for the subscription without a charge. */
  readonly verification?: { readonly networkIds: NetworkIds | null };
}

/** A command as stored until the subscription's workflow executes it: JSON with ISO 8601 instants. */
export type StoredCommand =
  | { readonly kind: 'pause'; readonly until: string | null }
  | { readonly kind: 'resume' | 'uncancel' | 'retry' }
  | { readonly kind: 'cancel'; readonly atPeriodEnd: boolean }
  | { readonly kind: 'change_plan'; readonly planId: PlanId; readonly immediately: boolean | null }
  | { readonly kind: 'change_card'; readonly card: CardOnFile };
