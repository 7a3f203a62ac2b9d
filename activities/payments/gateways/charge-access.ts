import type { CompanyGateway } from '../../../src/gateways/registry';
import type { GatewayAnswer } from '../call-gateway';
import type { PaymentDeps } from '../payment-deps';

/** A charge that was answered. */
export interface AnsweredCharge {
  readonly companyId: number;
  readonly gateway: Pick<CompanyGateway, 'slug' | 'secret'>;
  readonly sentAt: Date;
}

/** Records what the answer to a charge says about the company's current secret and its account, if it is news. */
export async function noteChargeAnswer(
  deps: PaymentDeps,
  charge: AnsweredCharge,
  answer: GatewayAnswer,
): Promise<void> {
  try {
    await noteSecret(deps, charge, answer);
    await noteLimit(deps, charge, answer);
  } catch (error) {
    // The answer itself must still be recorded.
    deps.log.warn({ err: error }, 'what an answer says about a gateway account could not be saved');
  }
}

async function noteSecret(
  deps: PaymentDeps,
  { gateway: { secret } }: AnsweredCharge,
  answer: GatewayAnswer,
): Promise<void> {
  if (secret === null) return;
  const isRejected = answer.kind === 'error' && answer.family === 'bad_credentials';
  if (isRejected) await deps.gatewaySecrets.markRejected(secret.id, deps.now());
  else if (!secret.isAccepted && answer.kind === 'outcome')
    await deps.gatewaySecrets.markAccepted(secret.id, deps.now());
}

/** Other payments of the company are not sent there for what the account lacks. */
async function noteLimit(deps: PaymentDeps, charge: AnsweredCharge, answer: GatewayAnswer): Promise<void> {
  if (answer.kind !== 'error' || answer.family !== 'unsupported' || answer.lacks === undefined) return;
  const { companyId, gateway, sentAt } = charge;
  const { slug } = gateway;
  const { lacks: feature, message } = answer;
  const secretId = gateway.secret?.id ?? null;
  await deps.gatewayLimits.learn({ companyId, slug, secretId, sentAt, feature, message });
  deps.log.warn({ company_id: companyId, gateway: slug, feature }, 'gateway account lacks a feature');
}
