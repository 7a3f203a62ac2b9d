import { openGatewayAccount } from '../../src/application/companies/open-gateway-account';
import { billetExpiresAt } from '../../src/domain/payments/billet-calendar';
import type { AttemptId, VaultCardId } from '../../src/domain/shared/ids';
import type { GatewayErrorFamily } from '../../src/domain/payments/gateway-error-family';
import { GatewayError, NOT_SENT_LOCALLY } from '../../src/gateways/errors';
import type { AccountFeature } from '../../src/domain/routing/learned-limits';
import { paymentExpiry, sentExpiry } from '../../src/domain/routing/expiry-support';
import { payerAddress } from '../../src/domain/routing/required-data';
import { newGatewayContext } from '../../src/gateways/new-gateway-context';
import type { GatewayAccess } from '../../src/gateways/registry';
import type {
  RefundBankAccount,
  ChargeRequest,
  GatewayContext,
  GatewayCustomer,
  Outcome,
} from '../../src/gateways/gateway';
import type { SealedSecrets } from '../../src/security/card-vault';
import { encryptionContext } from '../../src/security/encryption-context';
import type { PaymentRecord } from '../../src/persistence/payments/payment-repository';
import type { AttemptRecord } from '../../src/persistence/payments/gateway-attempt-repository';
import { gatewaySplits } from './charge-splits';
import { purchaseData } from './gateways/purchase-data';
import { recipientOfCall, type RecipientAttempt } from './gateways/call-recipient';
import type { PaymentDeps } from './payment-deps';

/** The answer to one call. Errors are values, because their family decides what happens next. */
export type GatewayAnswer = (
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | {
      readonly kind: 'error';
      readonly family: GatewayErrorFamily;
      readonly code: string | null;
      readonly message: string;
      /** What the gateway says that the account lacks. */
      readonly lacks?: AccountFeature;
    }
) & { readonly requestMs: number };

/** Sends a prepared request, unless `sendBefore` has passed. */
export type SendRequest = (sendBefore: Date) => Promise<GatewayAnswer>;

/**
 * Loads and decrypts the data of a charge or authorization. If this throws, nothing was sent. `sealedCard` is the card as the
 * claim read it; it is read here if left out.
 */
export async function prepareChargeCall(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: Pick<AttemptRecord, 'id' | 'operation' | 'reference' | 'splits'>,
  gateway: GatewayAccess,
  sealedCard?: SealedSecrets | null,
): Promise<SendRequest> {
  const request = await chargeRequest(deps, payment, attempt, gateway, sealedCard);
  const charge = { ...attempt, companyId: payment.companyId, targetAttemptId: null };
  const prepared = await gatewayContext(deps, charge, gateway, new Date(0));
  const driver = deps.registries.of(payment.companyId).driver(gateway.slug);
  return (sendBefore) => {
    const context = { ...prepared, sendBefore: sendBefore.getTime() };
    return measureCall(() =>
      attempt.operation === 'authorize'
        ? driver.authorize(context, request)
        : driver.charge(context, request),
    );
  };
}

/** Loads and decrypts the data of a capture, cancel or refund. If this throws, nothing was sent. */
export async function prepareOperationCall(
  deps: PaymentDeps,
  { attempt, currency }: { readonly attempt: AttemptRecord; readonly currency: string },
  gateway: GatewayAccess,
): Promise<SendRequest> {
  const driver = deps.registries.of(attempt.companyId).driver(gateway.slug);
  const prepared = await gatewayContext(deps, attempt, gateway, new Date(0));
  const request = {
    reference: attempt.reference,
    gatewayTransactionId: attempt.gatewayTransactionId ?? '',
    amountCents: attempt.amountCents,
    currency,
    splits: attempt.splits ?? [],
    reason: attempt.reason,
    bankAccount: await bankAccount(deps, attempt),
  };
  return (sendBefore) => {
    const context = { ...prepared, sendBefore: sendBefore.getTime() };
    return measureCall(() => {
      switch (attempt.operation) {
        case 'capture':
          return driver.capture(context, request);
        case 'cancel':
          return driver.cancel(context, request);
        case 'refund':
          return driver.refund(context, request);
        case 'charge':
        case 'authorize':
        case 'inquiry':
          throw new Error(`${attempt.operation} is not an operation on a charge`);
      }
    });
  };
}

async function bankAccount(deps: PaymentDeps, attempt: AttemptRecord): Promise<RefundBankAccount | null> {
  const { companyId, id, sealedBankAccount } = attempt;
  if (sealedBankAccount === null) return null;
  const text = await deps.envelope.open(
    sealedBankAccount,
    encryptionContext.bankAccount(companyId, id as AttemptId),
  );
  return JSON.parse(text) as RefundBankAccount;
}

/** The answer for an attempt whose preparation failed: nothing was sent. */
export const NOT_SENT_RESULT: GatewayAnswer = {
  kind: 'error',
  family: 'not_sent',
  code: NOT_SENT_LOCALLY,
  message: 'the request could not be prepared',
  requestMs: 0,
};

export async function gatewayContext(
  deps: PaymentDeps,
  attempt: RecipientAttempt & Pick<AttemptRecord, 'id' | 'operation'>,
  gateway: GatewayAccess,
  sendBefore: Date,
): Promise<GatewayContext> {
  return newGatewayContext(deps, {
    slug: gateway.slug,
    ...(await openGatewayAccount(deps, attempt.companyId, gateway)),
    recipient: await recipientOfCall(deps, attempt, gateway.slug),
    idempotencyKey: attempt.id,
    sendBefore: sendBefore.getTime(),
    timeoutMs: deps.settings.gatewayTimeoutMs,
    asked: { companyId: attempt.companyId, operation: attempt.operation, attemptId: attempt.id },
  });
}

/** Measures one driver call and returns a `GatewayError` as a value. Any other exception is a bug and is rethrown. */
export async function measureCall(call: () => Promise<Outcome>): Promise<GatewayAnswer> {
  const startedAt = performance.now();
  const requestMs = (): number => Math.round(performance.now() - startedAt);
  try {
    const outcome = await call();
    return { kind: 'outcome', outcome, requestMs: requestMs() };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return {
      kind: 'error',
      family: error.family,
      code: error.code,
      message: error.message,
      ...(error.lacks !== null && { lacks: error.lacks }),
      requestMs: requestMs(),
    };
  }
}

async function chargeRequest(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: Pick<AttemptRecord, 'reference' | 'splits'>,
  gateway: GatewayAccess,
  sealedCard: SealedSecrets | null | undefined,
): Promise<ChargeRequest> {
  const asked = paymentExpiry(payment);
  const expiry = asked && sentExpiry(deps.registries.of(payment.companyId).capabilities(gateway.slug), asked);
  return {
    reference: attempt.reference,
    amountCents: payment.amountCents,
    currency: payment.currency,
    paymentMethod: payment.paymentMethod,
    installments: payment.installments,
    softDescriptor: payment.softDescriptor,
    customer: gatewayCustomer(payment),
    card: await gatewayCard(deps, payment, gateway, sealedCard),
    billingAddress: payerAddress(payment),
    purchase: purchaseData(payment),
    splits: gatewaySplits(payment, attempt.splits ?? []),
    pix: expiry?.pix ?? null,
    billet: billetRequest(payment, expiry?.billetDueAt ?? null),
    initiation: payment.initiation,
  };
}

/** A customer with a payment in progress is never erased. */
function gatewayCustomer({ customer }: PaymentRecord): GatewayCustomer {
  const { name, email, document } = customer;
  if (name === null || email === null) throw new Error('the customer is erased');
  return { ...customer, name, email, document };
}

function billetRequest(
  { paymentMethod, billetInstructions }: PaymentRecord,
  dueAt: string | null,
): ChargeRequest['billet'] {
  if (paymentMethod !== 'billet' || dueAt === null) return null;
  return { dueAt, expiresAt: billetExpiresAt(dueAt).toISOString(), instructions: billetInstructions };
}

/** Decrypts what the gateway gave for the card. Nothing without it. */
async function openCardToken(
  { envelope }: PaymentDeps,
  { companyId, cardFingerprint }: PaymentRecord,
  { slug, cardToken }: GatewayAccess,
): Promise<{ readonly gatewayToken?: string }> {
  if (cardToken === undefined || cardFingerprint === null) return {};
  const context = encryptionContext.gatewayCardToken(companyId, slug, cardFingerprint);
  return { gatewayToken: await envelope.open(cardToken, context) };
}

async function gatewayCard(
  deps: PaymentDeps,
  payment: PaymentRecord,
  gateway: GatewayAccess,
  sealedCard: SealedSecrets | null | undefined,
): Promise<ChargeRequest['card']> {
  const { card, vaultCardId, companyId } = payment;
  if (card === null || vaultCardId === null) return null;
  const secrets =
    sealedCard === undefined
      ? await deps.vault.read(companyId, vaultCardId as VaultCardId)
      : sealedCard && (await deps.vault.open(companyId, sealedCard));
  if (secrets === null) throw new Error("the payment's card is not in the vault");
  const { holderName, expireMonth, expireYear, brand } = card;
  if (holderName === null) throw new Error('the cardholder is erased');
  const token = await openCardToken(deps, payment, gateway);
  return { ...secrets, holderName, expireMonth, expireYear, brand, ...token };
}
