import type { AttemptRecord } from '../../../src/persistence/payments/gateway-attempt-repository';
import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import type { GatewayAnswer } from '../call-gateway';
import type { PaymentDeps } from '../payment-deps';
import { findChargedAccount, inquireWith, type AccountAccess } from './charged-account';

/**
 * The secret to send a capture, cancel or refund with. A secret that is not known to belong to the charged account must first
 * show the charge; on the company's word it is also used if the gateway does not say. Null if there is none.
 */
export async function chooseOperationAccess(
  deps: PaymentDeps,
  operation: AttemptRecord,
): Promise<AccountAccess | null> {
  const { accesses } = await findChargedAccount(deps, operation);
  for (const candidate of accesses) {
    if (candidate.trust === 'same_account') return candidate;
    const { targetAttemptId } = operation;
    const charge = targetAttemptId === null ? null : await deps.attempts.find(targetAttemptId);
    if (charge === null) continue;
    const shown = await inquireWith(deps, charge, candidate, { sparesQuota: false });
    if (shown.kind === 'found') return candidate;
    const isAccepted = shown.kind === 'inconclusive' && shown.credentialsRejected !== true;
    if (candidate.trust === 'claimed' && isAccepted) return candidate;
  }
  return null;
}

/** The operation certainly had no effect, and is requested again: another secret of the account may be accepted. */
const REPEAT_WITH_ANOTHER_SECRET: GatewayAnswer = {
  kind: 'error',
  family: 'not_sent',
  code: NOT_SENT_LOCALLY,
  message: 'the gateway rejected the secret; another one is tried',
  requestMs: 0,
};

/**
 * Records what the answer to an operation says about its secret. Returns the answer to record: when a secret is rejected for
 * the first time, the operation is repeated with the next one.
 */
export async function judgeOperationAnswer(
  deps: PaymentDeps,
  operation: AttemptRecord,
  access: AccountAccess,
  answer: GatewayAnswer,
): Promise<GatewayAnswer> {
  try {
    return (await mayRepeat(deps, operation, access, answer)) ? REPEAT_WITH_ANOTHER_SECRET : answer;
  } catch (error) {
    // The answer itself must still be recorded.
    deps.log.warn({ err: error }, 'the state of a gateway secret could not be saved');
    return answer;
  }
}

async function mayRepeat(
  deps: PaymentDeps,
  operation: AttemptRecord,
  { access: { secret }, isRejected: wasRejected }: AccountAccess,
  answer: GatewayAnswer,
): Promise<boolean> {
  if (secret === null) return false;
  if (answer.kind === 'outcome') {
    if (wasRejected) await deps.gatewaySecrets.markAccepted(secret.id, deps.now());
    return false;
  }
  if (answer.family !== 'bad_credentials' || wasRejected) return false;
  await deps.gatewaySecrets.markRejected(secret.id, deps.now());
  const { accesses } = await findChargedAccount(deps, operation);
  return accesses.some(({ isRejected }) => !isRejected);
}
