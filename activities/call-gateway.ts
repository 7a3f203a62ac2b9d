import { splitAmount, type SplitPart } from '../src/domain/split';
import type { VaultCardId } from '../src/domain/ids';
import { GatewayError, NEVER_LEFT, type GatewayErrorFamily } from '../src/gateways/errors';
import type { CompanyGateway } from '../src/gateways/registry';
import type { ChargeRequest, GatewayContext, Outcome } from '../src/gateways/gateway';
import { sealedPlaces } from '../src/security/sealed-places';
import type { PaymentRecord } from '../src/persistence/payment-repository';
import type { AttemptRecord } from '../src/persistence/gateway-attempt-repository';
import type { PaymentDeps } from './payment-deps';

/** What came back from one call. An error is a value here: its family decides what may happen next. */
export type GatewayAnswer = (
  | { readonly kind: 'outcome'; readonly outcome: Outcome }
  | {
      readonly kind: 'error';
      readonly family: GatewayErrorFamily;
      readonly code: string | null;
      readonly message: string;
    }
) & { readonly requestMs: number };

/** Sends what was prepared, and nothing else; not at all once `sendBefore` has passed. */
export type Send = (sendBefore: Date) => Promise<GatewayAnswer>;

/** Reads and decrypts all that one charge or authorization takes. Whatever fails here, nothing has left. */
export async function prepareCharge(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: Pick<AttemptRecord, 'id' | 'operation' | 'reference'>,
  gateway: CompanyGateway,
): Promise<Send> {
  const request = await chargeRequest(deps, payment, attempt, gateway);
  const prepared = await gatewayContext(deps, payment.companyId, attempt.id, gateway, new Date(0));
  const driver = deps.registry.driver(gateway.slug);
  return (sendBefore) => {
    const context = { ...prepared, sendBefore: sendBefore.getTime() };
    return timed(() =>
      attempt.operation === 'authorize'
        ? driver.authorize(context, request)
        : driver.charge(context, request),
    );
  };
}

/** What is known of an attempt whose preparation failed: nothing left, and the gateway is well. */
export const NEVER_LEFT_HERE: GatewayAnswer = {
  kind: 'error',
  family: 'not_sent',
  code: NEVER_LEFT,
  message: 'the request could not be prepared',
  requestMs: 0,
};

export async function gatewayContext(
  deps: PaymentDeps,
  companyId: number,
  idempotencyKey: string,
  gateway: CompanyGateway,
  sendBefore: Date,
): Promise<GatewayContext> {
  const { slug, sealedSecret } = gateway;
  return {
    gateway: slug,
    baseUrl: deps.registry.baseUrl(slug),
    secretKey:
      sealedSecret === null
        ? deps.registry.platformSecret
        : await deps.envelope.open(sealedSecret, sealedPlaces.gatewaySecret(companyId, slug)),
    clientId: gateway.clientId,
    idempotencyKey,
    sendBefore: sendBefore.getTime(),
    timeoutMs: deps.settings.gatewayTimeoutMs,
    http: deps.http,
  };
}

/** Runs one driver call and turns the one family of exceptions into a value; anything else is a bug and goes on. */
export async function timed(call: () => Promise<Outcome>): Promise<GatewayAnswer> {
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
      requestMs: requestMs(),
    };
  }
}

async function chargeRequest(
  deps: PaymentDeps,
  payment: PaymentRecord,
  attempt: Pick<AttemptRecord, 'reference'>,
  gateway: CompanyGateway,
): Promise<ChargeRequest> {
  return {
    reference: attempt.reference,
    amountCents: payment.amountCents,
    currency: payment.currency,
    paymentMethod: payment.paymentMethod,
    installments: payment.installments,
    softDescriptor: payment.softDescriptor,
    customer: payment.customer,
    card: await gatewayCard(deps, payment),
    billingAddress: payment.billingAddress,
    splits: splitParts(payment, gateway),
  };
}

async function gatewayCard(deps: PaymentDeps, payment: PaymentRecord): Promise<ChargeRequest['card']> {
  const { card, vaultCardId } = payment;
  if (card === null || vaultCardId === null) return null;
  const secrets = await deps.vault.read(payment.companyId, vaultCardId as VaultCardId);
  if (secrets === null) throw new Error("the payment's card is not in the vault");
  const { holderName, expireMonth, expireYear, brand } = card;
  return { ...secrets, holderName, expireMonth, expireYear, brand };
}

/** A payment's own splits override a sub-account credential's 100%. */
function splitParts(payment: PaymentRecord, gateway: CompanyGateway): SplitPart[] {
  if (payment.splits !== null && payment.splits.length > 0)
    return splitAmount(payment.splits, payment.amountCents);
  if (gateway.subAccount === null) return [];
  const { recipientId } = gateway.subAccount;
  return [{ recipientId, amountCents: payment.amountCents, liable: true, chargeProcessingFee: true }];
}
