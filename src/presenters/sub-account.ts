import type { components } from '../http/generated/openapi';
import { isAnswered, type SubAccountStatus } from '../domain/routing/subaccount';

type WireSubAccount = components['schemas']['SubAccount'];

export interface PresentableSubAccount {
  readonly id: string;
  readonly gatewaySlug: string;
  readonly status: SubAccountStatus;
  readonly recipientId: string | null;
  readonly message: string | null;
  readonly consentUrl: string | null;
  readonly name: string;
  readonly documentMasked: string;
  readonly createdAt: Date;
}

/** A sub-account without an answer from its gateway is shown as pending, without a `recipient_id`. */
export function presentSubAccount(subAccount: PresentableSubAccount): WireSubAccount {
  const { id, gatewaySlug, status, recipientId, message, consentUrl, name, documentMasked, createdAt } =
    subAccount;
  return {
    id,
    gateway_slug: gatewaySlug as WireSubAccount['gateway_slug'],
    // Before the consent the gateway may not have an id of its own for it.
    recipient_id: consentUrl === null ? recipientId : null,
    status: isAnswered(status) ? status : 'pending',
    message,
    consent_url: consentUrl,
    name,
    document: documentMasked,
    created_at: createdAt.toISOString(),
  };
}
