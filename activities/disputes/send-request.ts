import { awaitsCompany } from '../../src/domain/disputes/dispute';
import {
  isUnderWay,
  MAX_REQUEST_TRIES,
  requestPauseMs,
  type DisputeRequest,
  type DisputeRequestKind,
} from '../../src/domain/disputes/dispute-request';
import { assertNever } from '../../src/domain/shared/assert-never';
import type { GatewayDisputeStatus, GatewayEvidence } from '../../src/gateways/disputes/dispute-driver';
import { GatewayError } from '../../src/gateways/errors';
import type { DisputeRecord } from '../../src/persistence/disputes/dispute-repository';
import type { DisputeInput } from '../../workflows/disputes/messages';
import type { DisputeDeps } from './dispute-deps';
import { prepareDisputeCall, type DisputeCall, type DisputeOperation } from './gateway-call';
import { prepareEvidence } from './prepare-evidence';
import { recordRequest, refuseRequest } from './record-request';

const NOT_WAITING = 'the dispute did not wait for the company any more';
const NOBODY_KNOWS =
  'the gateway did not say whether it took the answer; look the dispute up on its own pages';
const NOT_SENT = 'the gateway could not be reached; nothing was sent';

const OPERATIONS: Readonly<Record<DisputeRequestKind, DisputeOperation>> = {
  accept: 'accept_dispute',
  evidence: 'submit_evidence',
};

interface RequestStep {
  /** The type of the event, if there is one. */
  readonly published: string | null;
  /** Until the gateway is asked again, in ms; null if nothing is left to ask. */
  readonly pauseMs: number | null;
}

/**
 * Makes the next step of the company's answer: sends it, or asks about one that got no reply. Its claim is committed first, so a
 * worker that finds it claimed asks and does not send.
 */
export async function advanceRequest(deps: DisputeDeps, input: DisputeInput): Promise<RequestStep> {
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
  if (!awaitsCompany(dispute)) return refuseRequest(deps, request, NOT_WAITING);
  if (request.tries >= MAX_REQUEST_TRIES) return refuseRequest(deps, request, NOT_SENT);
  const prepared = await prepare(deps, dispute, request);
  if (prepared === null) return null;
  const sentAt = deps.now();
  if (!(await deps.disputeRequests.claim(request.id, sentAt))) return null;
  try {
    await call(deps, { dispute, request, prepared }, sentAt);
    return await recordRequest(deps, input, request);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return recordFailure(deps, { ...request, sentAt }, error);
  }
}

interface PreparedAnswer {
  readonly call: DisputeCall;
  readonly evidence: readonly GatewayEvidence[];
}

interface AnswerCall {
  readonly dispute: DisputeRecord;
  readonly request: DisputeRequest;
  readonly prepared: PreparedAnswer;
}

/** @throws GatewayError */
async function call(
  deps: DisputeDeps,
  { dispute, request, prepared }: AnswerCall,
  sentAt: Date,
): Promise<void> {
  const { driver, context: usual } = prepared.call;
  const context = { ...usual, sendBefore: sentAt.getTime() + deps.settings.sendWindowMs };
  if (request.kind === 'accept') await driver.accept(context, dispute);
  else await driver.submit(context, dispute, prepared.evidence);
}

/** What has no effect on the dispute, and needs no claim. Null if that failed: the request is refused, or is tried later. */
async function prepare(
  deps: DisputeDeps,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<PreparedAnswer | null> {
  try {
    return await prepareAnswer(deps, dispute, request);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (isRefusal(error)) return refuseRequest(deps, request, error.message);
    await deps.disputeRequests.countTry(request.id);
    return null;
  }
}

/** @throws GatewayError */
async function prepareAnswer(
  deps: DisputeDeps,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<PreparedAnswer> {
  const evidence = request.kind === 'evidence' ? await prepareEvidence(deps, dispute, request) : [];
  return { call: await prepareDisputeCall(deps, dispute, request, OPERATIONS[request.kind]), evidence };
}

async function recordFailure(
  deps: DisputeDeps,
  request: DisputeRequest & { readonly sentAt: Date },
  error: GatewayError,
): Promise<null> {
  if (isRefusal(error)) return refuseRequest(deps, request, error.message);
  const hadNoEffect = error.family !== 'ambiguous';
  if (hadNoEffect) await deps.disputeRequests.release(request.id, request.sentAt, deps.now());
  return null;
}

/** Whether the same request would be refused again. */
function isRefusal({ family }: GatewayError): boolean {
  switch (family) {
    case 'invalid_request':
    case 'bad_credentials':
    case 'unsupported':
      return true;
    case 'not_sent':
    case 'rate_limited':
    case 'ambiguous':
      return false;
    default:
      return assertNever(family);
  }
}

/** A dispute that still waits proves that the answer had no effect, once it can no longer be in flight. */
async function inquire(
  deps: DisputeDeps,
  input: DisputeInput,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<string | null> {
  const { id, sentAt, tries } = request;
  if (sentAt === null) throw new Error('a request that was sent has its instant');
  if (tries >= MAX_REQUEST_TRIES) return leaveUnknown(deps, request);
  await deps.disputeRequests.countTry(id);
  const status = await findStatus(deps, dispute, request);
  if (status === null) return null;
  const isSettled = deps.now().getTime() - sentAt.getTime() >= deps.settings.absenceProvenAfterMs;
  if (status === 'not_reported') return isSettled ? sendAgain(deps, input, dispute, request) : null;
  if (status === 'opened') {
    if (isSettled) await deps.disputeRequests.release(id, sentAt, deps.now());
    return null;
  }
  if (status === (request.kind === 'accept' ? 'lost' : 'submitted'))
    return recordRequest(deps, input, request);
  // Whether a decision followed on our evidence, nobody can tell.
  const isDecided = status === 'won' || status === 'lost';
  if (request.kind === 'evidence' && isDecided) return leaveUnknown(deps, request);
  return refuseRequest(deps, request, NOT_WAITING);
}

/**
 * Of a gateway that cannot be asked. That the repetition is refused proves nothing about the first request: the gateway may refuse it
 * because it has that one.
 */
async function sendAgain(
  deps: DisputeDeps,
  input: DisputeInput,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<string | null> {
  try {
    const prepared = await prepareAnswer(deps, dispute, request);
    await call(deps, { dispute, request, prepared }, deps.now());
    return await recordRequest(deps, input, request);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return isRefusal(error) ? leaveUnknown(deps, request) : null;
  }
}

async function leaveUnknown(deps: DisputeDeps, { id }: DisputeRequest): Promise<null> {
  await deps.disputeRequests.close({ id, status: 'unknown', message: NOBODY_KNOWS }, deps.now());
  return null;
}

/** Null if the gateway does not say; `not_reported` if it cannot be asked and has reported nothing. */
async function findStatus(
  deps: DisputeDeps,
  dispute: DisputeRecord,
  request: DisputeRequest,
): Promise<GatewayDisputeStatus | 'not_reported' | null> {
  try {
    const { driver, context } = await prepareDisputeCall(deps, dispute, request, 'find_dispute');
    return await (driver.findStatus?.(context, dispute) ?? reportedStatus(dispute));
  } catch (error) {
    if (error instanceof GatewayError) return null;
    throw error;
  }
}

/** By the gateway's callbacks. It reports an accepted dispute as a lost one. */
function reportedStatus({ status }: DisputeRecord): GatewayDisputeStatus | 'not_reported' {
  if (status === 'opened') return 'not_reported';
  return status === 'accepted' ? 'lost' : status;
}
