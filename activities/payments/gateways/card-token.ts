import { CARD_TOKEN_REFUSED } from '../../../src/gateways/errors';
import type { Accepted } from '../../../src/gateways/gateway';
import type { CardAtGateway } from '../../../src/persistence/gateways/gateway-card-token-repository';
import { routedCard } from '../../../src/persistence/gateways/gateway-repository';
import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import type { PaymentRecord } from '../../../src/persistence/payments/payment-repository';
import type { Tx } from '../../../src/persistence/sql/transaction';
import { encryptionContext } from '../../../src/security/encryption-context';
import type { ChargeUpdate } from '../attempt-result-mapper';
import type { GatewayAnswer } from '../call-gateway';
import type { PaymentDeps } from '../payment-deps';

type Attempt = Pick<AttemptRecord, 'gatewaySlug' | 'secretId' | 'sentAt'>;

/**
 * Keeps the token that came with an accepted charge, in the transaction that records the charge, if the card stays on file: saved, or
 * a subscription's.
 */
export async function keepCardToken(
  { envelope, gatewayCardTokens, now }: PaymentDeps,
  tx: Tx,
  payment: PaymentRecord,
  { gatewaySlug, secretId }: Attempt,
  { gatewayToken }: Accepted,
): Promise<void> {
  const { companyId, cardFingerprint } = payment;
  const card = cardAtGateway(payment, gatewaySlug);
  if (gatewayToken === undefined || card === null || cardFingerprint === null) return;
  if (card.savedAs === null && payment.subscriptionId === null) return;
  const context = encryptionContext.gatewayCardToken(companyId, gatewaySlug, cardFingerprint);
  const sealedToken = await envelope.seal(gatewayToken, context);
  await gatewayCardTokens.keep(tx, { ...card, secretId, sealedToken }, now());
}

/** Forgets the token that the gateway refused, so that the next payment with the card is not sent there in vain. */
export async function forgetRefusedCardToken(
  { gatewayCardTokens }: Pick<PaymentDeps, 'gatewayCardTokens'>,
  tx: Tx,
  payment: PaymentRecord,
  { gatewaySlug, sentAt }: Attempt,
  update: ChargeUpdate,
): Promise<void> {
  const card = cardAtGateway(payment, gatewaySlug);
  if (update.kind !== 'error' || update.code !== CARD_TOKEN_REFUSED || card === null || sentAt === null)
    return;
  await gatewayCardTokens.forget(tx, card, sentAt);
}

/** The answer as Temporal may store it until it is recorded: without the token, whose loss costs only that gateway's renewals. */
export function withoutCardToken<Kept extends { readonly answer: GatewayAnswer }>(kept: Kept): Kept {
  const { answer } = kept;
  if (answer.kind !== 'outcome' || answer.outcome.kind === 'declined') return kept;
  const { gatewayToken: _, ...outcome } = answer.outcome;
  return { ...kept, answer: { ...answer, outcome } };
}

function cardAtGateway(payment: PaymentRecord, slug: AttemptRecord['gatewaySlug']): CardAtGateway | null {
  const card = routedCard(payment);
  return card && { companyId: payment.companyId, slug, card, savedAs: payment.card?.token ?? null };
}
