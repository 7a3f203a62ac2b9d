import { openGatewayAccount } from '../../src/application/companies/open-gateway-account';
import { awaitsCompany } from '../../src/domain/disputes/dispute';
import {
  isUnderWay,
  MAX_REQUEST_TRIES,
  requestPauseMs,
  type DisputeRequest,
} from '../../src/domain/disputes/dispute-request';
import type { DisputeDriver, GatewayDisputeSubject } from '../../src/gateways/disputes/dispute-driver';
import { GatewayError } from '../../src/gateways/errors';
import type { GatewayContext } from '../../src/gateways/gateway';
import { newGatewayContext } from '../../src/gateways/new-gateway-context';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import type { DisputeInput } from '../../workflows/disputes/messages';
import { recipientOfCall } from '../payments/gateways/call-recipient';
import { findChargedAccount } from '../payments/gateways/charged-account';
import type { DisputeDeps } from './dispute-deps';
import { recordAcceptance } from './record-acceptance';

const NOT_WAITING = 'the dispute did not wait for the company any more';
const NOBODY_KNOWS =
  'the gateway did not say whether it took the acceptance; look the dispute up on its own pages';
const NOT_SENT = 'the gateway could not be reached; nothing was accepted';

interface RequestStep {
  /** The type of the event, if there is one. */
  readonly published: string | null;
  /** Until the gateway is asked again, in ms; null if nothing is left to ask. */
  readonly pauseMs: number | null;
}

/**
 * Makes the next step of the company's acceptance: sends it, or asks about one without an answer. Its claim is committed first,
 * so a worker that finds it claimed asks and does not send.
 */
export async function advanceAcceptance(deps: DisputeDeps, input: DisputeInput): Promise<RequestStep> {
  const request = await deps.disputeRequests.findLast(input.disputeId);
  const dispute = await deps.disputes.find(input.disputeId);
  if (request === null || dispute === null || !isUnderWay(request)) return { published: null, pauseMs: null };
  const published =
    request.status === 'requested'
      ? await send(deps, input, dispute, request)
      : await inquire(deps, input, dispute, request);
  const left = await deps.disputeRequests.findLast(input.disputeId);
  return { published, pauseMs: left !== null && isUnderWay(left) ? requestPauseMs(left) : null };
}

async function send(
  deps: DisputeDeps,
  input: DisputeInput,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<string | null> {
  if (!awaitsCompany(dispute)) return refuse(deps, request, NOT_WAITING);
  if (request.tries >= MAX_REQUEST_TRIES) return refuse(deps, request, NOT_SENT);
  const call = await prepareCall(deps, dispute, request, 'accept_dispute');
  const sentAt = deps.now();
  if (!(await deps.disputeRequests.claim(request.id, sentAt))) return null;
  const sendBefore = sentAt.getTime() + deps.settings.sendWindowMs;
  try {
    await call.driver.accept({ ...call.context, sendBefore }, dispute);
    return await recordAcceptance(deps, input, request.id);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return recordFailure(deps, { ...request, sentAt }, error);
  }
}

async function recordFailure(
  deps: DisputeDeps,
  { id, sentAt, ...request }: DisputeRequest & { readonly sentAt: Date },
  error: GatewayError,
): Promise<null> {
  switch (error.family) {
    case 'not_sent':
    case 'rate_limited':
      await deps.disputeRequests.release(id, sentAt, deps.now());
      return null;
    case 'invalid_request':
    case 'bad_credentials':
    case 'unsupported':
      return refuse(deps, { id, ...request }, error.message);
    case 'ambiguous':
      return null;
  }
}

/** A dispute that still waits proves that the acceptance had no effect, once it can no longer be in flight. */
async function inquire(
  deps: DisputeDeps,
  input: DisputeInput,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<string | null> {
  const { id, sentAt, tries } = request;
  if (sentAt === null) throw new Error('a request that was sent has its instant');
  if (tries >= MAX_REQUEST_TRIES) {
    await deps.disputeRequests.close({ id, status: 'unknown', message: NOBODY_KNOWS }, deps.now());
    return null;
  }
  await deps.disputeRequests.countTry(id);
  const status = await findStatus(deps, dispute, request);
  if (status === 'lost') return recordAcceptance(deps, input, id);
  if (status === 'won') return refuse(deps, request, NOT_WAITING);
  const isSettled = deps.now().getTime() - sentAt.getTime() >= deps.settings.absenceProvenAfterMs;
  if (status === 'opened' && isSettled) await deps.disputeRequests.release(id, sentAt, deps.now());
  return null;
}

/** Null if the gateway does not say. */
async function findStatus(
  deps: DisputeDeps,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<'opened' | 'won' | 'lost' | null> {
  try {
    const { driver, context } = await prepareCall(deps, dispute, request, 'find_dispute');
    return await driver.findStatus(context, dispute);
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

async function refuse(deps: DisputeDeps, { id }: Pick<DisputeRequest, 'id'>, message: string): Promise<null> {
  await deps.disputeRequests.close({ id, status: 'refused', message }, deps.now());
  return null;
}

interface PreparedCall {
  readonly driver: DisputeDriver<GatewayContext>;
  readonly context: GatewayContext;
}

/** With a secret of the charged account. @throws GatewayError `unsupported` */
async function prepareCall(
  deps: DisputeDeps,
  { attemptId, gatewaySlug: slug }: DisputeRecord & GatewayDisputeSubject,
  request: DisputeRequest,
  operation: 'accept_dispute' | 'find_dispute',
): Promise<PreparedCall> {
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
