import { openGatewayAccount } from '../../src/application/companies/open-gateway-account';
import type { DisputeRequest } from '../../src/domain/disputes/dispute-request';
import type { DisputeDriver } from '../../src/gateways/disputes/dispute-driver';
import { GatewayError } from '../../src/gateways/errors';
import type { GatewayContext } from '../../src/gateways/gateway';
import { newGatewayContext } from '../../src/gateways/new-gateway-context';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import { recipientOfCall } from '../payments/gateways/call-recipient';
import { findChargedAccount } from '../payments/gateways/charged-account';
import type { DisputeDeps } from './dispute-deps';

export type DisputeOperation = 'accept_dispute' | 'submit_evidence' | 'find_dispute';

export interface DisputeCall {
  readonly driver: DisputeDriver<GatewayContext>;
  readonly context: GatewayContext;
}

/** One call about a dispute, with a secret of the charged account. @throws GatewayError `unsupported` */
export async function prepareDisputeCall(
  deps: DisputeDeps,
  { attemptId, gatewaySlug: slug }: DisputeRecord,
  request: Pick<DisputeRequest, 'id'>,
  operation: DisputeOperation,
): Promise<DisputeCall> {
  const charge = await deps.attempts.find(attemptId);
  if (charge === null) throw new Error('the disputed charge does not exist');
  const { companyId } = charge;
  const driver = deps.registries.of(companyId).driver(slug).disputes;
  if (driver === undefined) throw new GatewayError('unsupported', `${slug} has no such request`);
  const { accesses } = await findChargedAccount(deps, charge);
  const usable = accesses.find(({ trust }) => trust === 'same_account');
  if (usable === undefined) throw new GatewayError('unsupported', 'no secret of the charged account is left');
  const context = newGatewayContext(deps, {
    slug,
    ...(await openGatewayAccount(deps, companyId, usable.access)),
    recipient: await recipientOfCall(deps, charge, slug),
    idempotencyKey: request.id,
    sendBefore: Infinity,
    timeoutMs: deps.settings.gatewayTimeoutMs,
    asked: { companyId, operation, attemptId },
  });
  return { driver, context };
}
