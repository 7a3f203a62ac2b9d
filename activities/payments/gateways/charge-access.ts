import type { CompanyGateway } from '../../../src/gateways/registry';
import type { GatewayAnswer } from '../call-gateway';
import type { PaymentDeps } from '../payment-deps';

/** Records what the answer to a charge says about the company's current secret, if it is news. */
export async function noteChargeAnswer(
  deps: PaymentDeps,
  { secret }: CompanyGateway,
  answer: GatewayAnswer,
): Promise<void> {
  if (secret === null) return;
  const isRejected = answer.kind === 'error' && answer.family === 'bad_credentials';
  const isNews = isRejected || (!secret.isAccepted && answer.kind === 'outcome');
  if (!isNews) return;
  try {
    if (isRejected) await deps.gatewaySecrets.markRejected(secret.id, deps.now());
    else await deps.gatewaySecrets.markAccepted(secret.id, deps.now());
  } catch (error) {
    // The answer itself must still be recorded.
    deps.log.warn({ err: error }, 'the state of a gateway secret could not be saved');
  }
}
