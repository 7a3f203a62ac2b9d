import { v4, v5, v7, validate } from 'uuid';

declare const brand: unique symbol;
/** A string type that only its own functions produce, so that ids of different kinds cannot be mixed up. */
type Branded<Name extends string> = string & { readonly [brand]: Name };

export type TransactionId = Branded<'TransactionId'>;
export type AttemptId = Branded<'AttemptId'>;
export type CardVerificationId = Branded<'CardVerificationId'>;
export type SubAccountId = Branded<'SubAccountId'>;
export type GatewayAccountId = Branded<'GatewayAccountId'>;
export type GatewaySecretId = Branded<'GatewaySecretId'>;
export type VaultCardId = Branded<'VaultCardId'>;
export type DeliveryId = Branded<'DeliveryId'>;
export type PlanId = Branded<'PlanId'>;
export type CouponId = Branded<'CouponId'>;
export type SubscriptionId = Branded<'SubscriptionId'>;
export type BillingCycleId = Branded<'BillingCycleId'>;
export type SubscriptionCommandId = Branded<'SubscriptionCommandId'>;
export type DisputeId = Branded<'DisputeId'>;
export type EvidenceId = Branded<'EvidenceId'>;
export type SettlementId = Branded<'SettlementId'>;

/** Hex digits of a UUID's end: 60 of its bits. */
export const REQUEST_PART_LENGTH = 15;

/**
 * A payment's public id. UUIDv7 (RFC 9562): sorts by creation, so that indexes stay compact. Its end is random, or tells for which
 * request the payment was made.
 */
export function newTransactionId(requestPart?: string): TransactionId {
  if (requestPart === undefined) return v7() as TransactionId;
  // Random too: by default only the end tells apart two ids of the same millisecond.
  const seq = Number.parseInt(v4().slice(0, 8), 16);
  const digits = v7({ seq }).replaceAll('-', '').slice(0, -REQUEST_PART_LENGTH) + requestPart;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as TransactionId;
}

/** The end of a payment's id. */
export const requestPartOf = (id: TransactionId): string => endOf(id);

const endOf = (id: string): string => id.replaceAll('-', '').slice(-REQUEST_PART_LENGTH);

/** The end of the ids of all payments for the same charge of a subscription. */
export const chargePartOf = (id: SubscriptionId, charge: string): string => endOf(v5(charge, id));

/** A gateway attempt's id, which is also its idempotency key at the gateway. */
export const newAttemptId = (): AttemptId => v7() as AttemptId;
/** A card verification's id, which is also its reference and its idempotency key at the gateway. */
export const newCardVerificationId = (): CardVerificationId => v7() as CardVerificationId;
/** A sub-account's id, which is also its reference at the gateway. */
export const newSubAccountId = (): SubAccountId => v7() as SubAccountId;
export const newGatewayAccountId = (): GatewayAccountId => v7() as GatewayAccountId;
export const newGatewaySecretId = (): GatewaySecretId => v7() as GatewaySecretId;
export const newVaultCardId = (): VaultCardId => v7() as VaultCardId;

/** A plan's public id. */
export const newPlanId = (): PlanId => v7() as PlanId;
/** A coupon's public id. */
export const newCouponId = (): CouponId => v7() as CouponId;
/** A subscription's public id. */
export const newSubscriptionId = (): SubscriptionId => v7() as SubscriptionId;
/** A billing cycle's public id, `cycle_id`. */
export const newBillingCycleId = (): BillingCycleId => v7() as BillingCycleId;
/** Commands are applied in the order of their ids. */
export const newSubscriptionCommandId = (): SubscriptionCommandId => v7() as SubscriptionCommandId;

/** The same for the same dispute of a charge, so that each report of its gateway finds it, the first one too. */
export const disputeIdOf = (chargeId: string, gatewayDisputeId: string): DisputeId =>
  v5(gatewayDisputeId, chargeId) as DisputeId;

/** The id of a request about a dispute, which is also its idempotency key at the gateway. */
export const newDisputeRequestId = (): string => v7();

/** The id of the command with which a dispute pauses a subscription: the same each time. */
export const pauseCommandOf = (id: DisputeId): SubscriptionCommandId =>
  v5('pause', id) as SubscriptionCommandId;

export const newEvidenceId = (): EvidenceId => v7() as EvidenceId;
export const newSettlementId = (): SettlementId => v7() as SettlementId;
/** Items sort by when they were found. */
export const newSettlementItemId = (): string => v7();
export const newNoteId = (): string => v7();

/** The id of a test event's subject. */
export const newTestEventId = (): string => v7();

/** Journal entries sort by the time at which they are posted, which may be long past. */
export const newJournalEntryId = (postedAt: Date): string => v7({ msecs: postedAt.getTime() });

/** Returns null if the text is not a UUID, so that no query is needed. */
export function parseTransactionId(text: string): TransactionId | null {
  return validate(text) ? (text.toLowerCase() as TransactionId) : null;
}

export function parseSubAccountId(text: string): SubAccountId | null {
  return validate(text) ? (text.toLowerCase() as SubAccountId) : null;
}

export function parsePlanId(text: string): PlanId | null {
  return validate(text) ? (text.toLowerCase() as PlanId) : null;
}

export function parseCouponId(text: string): CouponId | null {
  return validate(text) ? (text.toLowerCase() as CouponId) : null;
}

export function parseSubscriptionId(text: string): SubscriptionId | null {
  return validate(text) ? (text.toLowerCase() as SubscriptionId) : null;
}

export function parseDisputeId(text: string): DisputeId | null {
  return validate(text) ? (text.toLowerCase() as DisputeId) : null;
}

export function parseEvidenceId(text: string): EvidenceId | null {
  return validate(text) ? (text.toLowerCase() as EvidenceId) : null;
}

export function parseSettlementId(text: string): SettlementId | null {
  return validate(text) ? (text.toLowerCase() as SettlementId) : null;
}

/** Postgres generates delivery ids when it inserts an event's deliveries. */
export function parseDeliveryId(text: string): DeliveryId | null {
  return validate(text) ? (text.toLowerCase() as DeliveryId) : null;
}

/** `cus_` or `card_` and 122 random bits. Tokens are not secrets: each is looked up within its company only. */
export const newCustomerToken = (): string => `cus_${randomHex()}`;
export const newCardToken = (): string => `card_${randomHex()}`;
/** The id of an operator's resolution, which makes repeated submissions idempotent. */
export const newResolutionId = (): string => v7();
/** An access token's id (`jti`). */
export const newTokenId = (): string => v4();
/** A company's public identifier. */
export const newClientId = (): string => `client_${randomHex()}`;

/** A payment link's token. */
export const newPaymentLinkToken = (): string => `plink_${randomHex()}`;
/** Names a customer without a document (`identityOf`). */
export const newGuestId = (): string => `guest_${randomHex()}`;
/** The generated order id of a checkout without one. Sorts by creation. */
export const newCheckoutOrderId = (): string => `pl_${v7().replaceAll('-', '')}`;

function randomHex(): string {
  return v4().replaceAll('-', '');
}
