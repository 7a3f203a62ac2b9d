import type { AuditActor } from '../../domain/companies/audit-actor';
import { awaitsCompany } from '../../domain/disputes/dispute';
import type { DisputeToStart } from '../../domain/disputes/dispute-start';
import { ApiError, notFound } from '../../domain/shared/errors';
import { newDisputeRequestId, parseDisputeId, type DisputeId } from '../../domain/shared/ids';
import type { GatewayRegistries } from '../../gateways/modes/registries';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { DisputeRecord, DisputeRepository } from '../../persistence/disputes/dispute-repository';
import type { DisputeRequestRepository } from '../../persistence/disputes/dispute-request-repository';
import type { DisputeList, ListedDispute } from '../../persistence/read-models/dispute-list';
import type { Database, Tx } from '../../persistence/sql/transaction';

export interface AcceptDisputeDeps {
  readonly db: Database;
  readonly disputes: DisputeRepository;
  readonly disputeRequests: DisputeRequestRepository;
  readonly disputeList: DisputeList;
  readonly audit: AuditRepository;
  readonly registries: GatewayRegistries;
  readonly wake: (dispute: DisputeToStart) => Promise<void>;
  readonly now: () => Date;
  /** Reports an error that the caller must not see, because the request is committed. */
  readonly reportError: (transactionId: string, error: unknown) => void;
}

/**
 * Accepts a dispute for the company: the customer keeps the money. The request is committed as a row first; the dispute's
 * workflow sends it, and records it once the gateway has taken it. Repeating it changes nothing.
 *
 * @throws ApiError `not_found`; `invalid_state` if the dispute cannot be accepted
 */
export class AcceptDispute {
  constructor(private readonly deps: AcceptDisputeDeps) {}

  async execute(actor: AuditActor, id: string): Promise<ListedDispute> {
    const disputeId = parseDisputeId(id);
    const found = disputeId && (await this.deps.disputeList.find(actor.companyId, disputeId));
    if (disputeId === null || found === null) throw notFound();
    if (found.status === 'accepted') return found;
    await this.deps.db.inTransaction((tx) => this.request(tx, actor, disputeId));
    await this.wake({ companyId: actor.companyId, disputeId, transactionId: found.transactionId });
    return (await this.deps.disputeList.find(actor.companyId, disputeId)) ?? found;
  }

  private async request(tx: Tx, actor: AuditActor, disputeId: DisputeId): Promise<void> {
    const { disputes, disputeRequests, audit, now } = this.deps;
    const dispute = await disputes.lock(tx, disputeId);
    if (dispute === null) throw notFound();
    if (dispute.status === 'accepted') return;
    this.assertAcceptable(dispute);
    const { companyId, userId, requestId, sessionId } = actor;
    const request = { id: newDisputeRequestId(), companyId, disputeId, kind: 'accept' } as const;
    if (!(await disputeRequests.insert(tx, request, now()))) return;
    await disputes.scheduleRecovery(disputeId, now(), tx);
    await audit.insert(tx, {
      companyId,
      userId,
      requestId,
      ...(sessionId !== undefined && { sessionId }),
      action: 'dispute.accept',
      subjectType: 'dispute',
      subjectId: disputeId,
      changes: {},
      operationId: request.id,
    });
  }

  private assertAcceptable({ companyId, kind, status, gatewaySlug }: DisputeRecord): void {
    if (!awaitsCompany({ status }))
      throw new ApiError('invalid_state', `The dispute is ${status}; only an open one can be accepted.`);
    if (kind === 'retrieval')
      throw new ApiError(
        'invalid_state',
        'A retrieval request only asks for documents; there is nothing to accept.',
      );
    if (this.deps.registries.of(companyId).capabilities(gatewaySlug).acceptsDisputes !== true)
      throw new ApiError(
        'invalid_state',
        `${gatewaySlug} takes no acceptance through its API. Accept the dispute on the gateway's own pages.`,
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
