import type { AuditActor } from '../../domain/companies/audit-actor';
import { awaitsCompany } from '../../domain/disputes/dispute';
import { isUnderWay, type DisputeRequestKind } from '../../domain/disputes/dispute-request';
import type { DisputeToStart } from '../../domain/disputes/dispute-start';
import { ApiError, notFound } from '../../domain/shared/errors';
import { newDisputeRequestId, parseDisputeId, type DisputeId } from '../../domain/shared/ids';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { DisputeEvidenceRepository } from '../../persistence/disputes/dispute-evidence-repository';
import type { DisputeRecord, DisputeRepository } from '../../persistence/disputes/dispute-repository';
import type { DisputeRequestRepository } from '../../persistence/disputes/dispute-request-repository';
import type { DisputeList, ListedDispute } from '../../persistence/read-models/dispute-list';
import type { Database, Tx } from '../../persistence/sql/transaction';

export interface AnswerDisputeDeps {
  readonly db: Database;
  readonly disputes: DisputeRepository;
  readonly disputeRequests: DisputeRequestRepository;
  readonly disputeEvidence: DisputeEvidenceRepository;
  readonly disputeList: DisputeList;
  readonly audit: AuditRepository;
  readonly registries: GatewayRegistries;
  readonly wake: (dispute: DisputeToStart) => Promise<void>;
  readonly now: () => Date;
  /** Reports an error that the caller must not see, because the request is committed. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/** How each answer is named in errors, and in the audit log. */
const WORDS = {
  accept: {
    action: 'dispute.accept',
    noun: 'acceptance',
    verb: 'accepted',
    imperative: 'Accept the dispute',
  },
  evidence: {
    action: 'dispute.submit',
    noun: 'evidence',
    verb: 'answered',
    imperative: 'Submit the evidence',
  },
} as const satisfies Record<DisputeRequestKind, object>;

/**
 * Answers a dispute for the company: it accepts it, so that the customer keeps the money, or submits the evidence that is stored.
 * The request is committed as a row first; the dispute's workflow sends it, and records it once the gateway has taken it.
 * Repeating it changes nothing.
 */
export class AnswerDispute {
  constructor(private readonly deps: AnswerDisputeDeps) {}

  /** @throws ApiError `not_found`; `invalid_state` if the dispute cannot be accepted */
  async accept(actor: AuditActor, id: string): Promise<ListedDispute> {
    return this.answer('accept', actor, id);
  }

  /** @throws ApiError `not_found`; `invalid_state` if the dispute takes no evidence, or there is none to submit */
  async submit(actor: AuditActor, id: string): Promise<ListedDispute> {
    return this.answer('evidence', actor, id);
  }

  private async answer(kind: DisputeRequestKind, actor: AuditActor, id: string): Promise<ListedDispute> {
    const disputeId = parseDisputeId(id);
    const found = disputeId && (await this.deps.disputeList.find(actor.companyId, disputeId));
    if (disputeId === null || found === null) throw notFound();
    const isNew = await this.deps.db.inTransaction((tx) => this.request(tx, kind, actor, disputeId));
    if (!isNew) return found;
    await this.wake({ companyId: actor.companyId, disputeId, transactionId: found.transactionId });
    return (await this.deps.disputeList.find(actor.companyId, disputeId)) ?? found;
  }

  /** False if the gateway has this answer already. */
  private async request(
    tx: Tx,
    kind: DisputeRequestKind,
    actor: AuditActor,
    disputeId: DisputeId,
  ): Promise<boolean> {
    const { disputes, disputeRequests, disputeEvidence, audit, now } = this.deps;
    const dispute = await disputes.lock(tx, disputeId);
    if (dispute === null) throw notFound();
    if (hasAnswer(dispute, kind)) return false;
    const last = await disputeRequests.findLast(disputeId, tx);
    if (last !== null && isUnderWay(last)) {
      if (last.kind === kind) return true;
      throw invalidState(
        'The other answer is being sent to the gateway. See last_request for what becomes of it.',
      );
    }
    this.assertAnswerable(dispute, kind);
    const { companyId, userId, requestId, sessionId } = actor;
    const request = { id: newDisputeRequestId(), companyId, disputeId, kind };
    if (!(await disputeRequests.insert(tx, request, now()))) throw new Error('the dispute was not locked');
    if (kind === 'evidence') {
      const { count } = await disputeEvidence.measureDrafts(tx, disputeId);
      if (count === 0) throw invalidState('There is no evidence to submit. Add it first.');
      await disputeEvidence.assignDrafts(tx, disputeId, request.id);
    }
    await disputes.scheduleRecovery(disputeId, now(), tx);
    await audit.insert(tx, {
      companyId,
      userId,
      requestId,
      ...(sessionId !== undefined && { sessionId }),
      action: WORDS[kind].action,
      subjectType: 'dispute',
      subjectId: disputeId,
      changes: {},
      operationId: request.id,
    });
    return true;
  }

  private assertAnswerable(dispute: DisputeRecord, kind: DisputeRequestKind): void {
    const { companyId, status, gatewaySlug } = dispute;
    const { noun, verb, imperative } = WORDS[kind];
    if (!awaitsCompany({ status }))
      throw invalidState(`The dispute is ${status}; only an open one can be ${verb}.`);
    if (kind === 'accept' && dispute.kind === 'retrieval')
      throw invalidState('A retrieval request only asks for documents; there is nothing to accept.');
    const { disputeAnswers = [] } = this.deps.registries.of(companyId).capabilities(gatewaySlug);
    if (!disputeAnswers.includes(kind))
      throw invalidState(
        `${gatewaySlug} takes no ${noun} through its API. ${imperative} on the gateway's own pages.`,
      );
  }

  /** The request is committed: after a failure the sweeper wakes the workflow. */
  private async wake(dispute: DisputeToStart): Promise<void> {
    try {
      await this.deps.wake(dispute);
    } catch (error) {
      this.deps.reportError(dispute.transactionId, error);
    }
  }
}

function hasAnswer({ status }: DisputeRecord, kind: DisputeRequestKind): boolean {
  return status === (kind === 'accept' ? 'accepted' : 'submitted');
}

function invalidState(message: string): ApiError {
  return new ApiError('invalid_state', message);
}
