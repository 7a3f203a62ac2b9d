import type { AuditAction } from '../../domain/companies/audit';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { CustomerKey, PersonalContent } from '../../domain/customers/personal-data';
import { personalContent } from '../../domain/customers/personal-data';
import { awaitsCompany } from '../../domain/disputes/dispute';
import {
  decodeBase64,
  evidenceProblem,
  MAX_EVIDENCE_TOTAL_BYTES,
  type EvidenceContent,
  type EvidenceFileType,
  type EvidenceKind,
  type NewEvidence,
} from '../../domain/disputes/dispute-evidence';
import { isUnderWay } from '../../domain/disputes/dispute-request';
import { ApiError, notFound, validationError } from '../../domain/shared/errors';
import {
  newEvidenceId,
  parseDisputeId,
  parseEvidenceId,
  type DisputeId,
  type EvidenceId,
} from '../../domain/shared/ids';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  DisputeEvidenceRepository,
  EvidenceOwner,
  ListedEvidence,
} from '../../persistence/disputes/dispute-evidence-repository';
import type { DisputeRepository } from '../../persistence/disputes/dispute-repository';
import type { DisputeRequestRepository } from '../../persistence/disputes/dispute-request-repository';
import type { Database, Tx } from '../../persistence/sql/transaction';
import type { Creation } from '../shared/create-once';

export interface EvidenceDeps {
  readonly db: Database;
  readonly disputes: DisputeRepository;
  readonly disputeRequests: DisputeRequestRepository;
  readonly disputeEvidence: DisputeEvidenceRepository;
  readonly audit: AuditRepository;
  readonly now: () => Date;
}

/** Evidence as a request has it. */
export interface EvidenceRequest {
  readonly kind: EvidenceKind;
  readonly text?: string | undefined;
  readonly file?:
    | {
        readonly name: string;
        readonly content_type: EvidenceFileType;
        /** Base64. */
        readonly content: string;
      }
    | undefined;
}

export interface AddedEvidence {
  readonly evidence: ListedEvidence;
  readonly personal: PersonalContent;
}

/** The evidence against a dispute: drafts until it is submitted. */
export class Evidence {
  constructor(private readonly deps: EvidenceDeps) {}

  /** @throws ApiError `not_found` */
  async list(companyId: number, id: string): Promise<ListedEvidence[]> {
    const owner = await this.ownerOf(companyId, id);
    return this.deps.disputeEvidence.list(companyId, owner.disputeId);
  }

  /** @throws ApiError `validation_error`; `not_found`; `invalid_state` if the dispute takes no evidence */
  async add(actor: AuditActor, id: string, request: EvidenceRequest): Promise<Creation<AddedEvidence>> {
    const owner = await this.ownerOf(actor.companyId, id);
    const evidence = { kind: request.kind, content: contentOf(request) };
    const problem = evidenceProblem(evidence);
    if (problem !== null) throw validationError({ [problem[0]]: [problem[1]] });
    const key = keyOf(owner);
    const sealed = await this.deps.disputeEvidence.seal(key, newEvidenceId(), evidence);
    return async (tx) => {
      const now = this.deps.now();
      await this.lockOpen(tx, owner.disputeId);
      const { fileBytes } = await this.deps.disputeEvidence.measureDrafts(tx, owner.disputeId);
      if (sealed.contentType !== null && fileBytes + sealed.sizeBytes > MAX_EVIDENCE_TOTAL_BYTES)
        throw validationError({
          'file.content': [
            `is too long: all files of a submission together have at most ${MAX_EVIDENCE_TOTAL_BYTES} bytes`,
          ],
        });
      if (!(await this.deps.disputeEvidence.insert(tx, owner, sealed, now))) throw taken(evidence);
      const { id: evidenceId, kind, contentType, sizeBytes } = sealed;
      const changes = { kind, content_type: contentType, size: sizeBytes };
      await this.audit(tx, actor, owner, 'dispute.add_evidence', changes);
      const words = evidence.content.form === 'text' ? evidence.content.text : evidence.content.name;
      return {
        evidence: { id: evidenceId, kind, contentType, sizeBytes, words, state: 'draft', createdAt: now },
        personal: personalContent('evidence', { id: owner.customerId, key }),
      };
    };
  }

  /** @throws ApiError `not_found`; `invalid_state` of evidence that is not a draft */
  async delete(actor: AuditActor, id: string, evidenceId: string): Promise<void> {
    const owner = await this.ownerOf(actor.companyId, id);
    const parsed = parseEvidenceId(evidenceId);
    if (parsed === null) throw notFound();
    await this.deps.db.inTransaction(async (tx) => {
      const deleted = await this.deps.disputeEvidence.deleteDraft(tx, owner.disputeId, parsed);
      if (deleted === null) throw await this.notDeleted(owner, parsed);
      await this.audit(tx, actor, owner, 'dispute.delete_evidence', { kind: deleted.kind });
    });
  }

  private async notDeleted({ companyId, disputeId }: EvidenceOwner, id: EvidenceId): Promise<ApiError> {
    const listed = await this.deps.disputeEvidence.list(companyId, disputeId);
    if (!listed.some((evidence) => evidence.id === id)) return notFound();
    return new ApiError('invalid_state', 'The evidence is part of a submission.');
  }

  private async ownerOf(companyId: number, id: string): Promise<EvidenceOwner> {
    const disputeId = parseDisputeId(id);
    const owner = disputeId && (await this.deps.disputeEvidence.findOwner(companyId, disputeId));
    if (owner === null) throw notFound();
    return owner;
  }

  /** Until the transaction ends, nobody submits or decides the dispute. */
  private async lockOpen(tx: Tx, disputeId: DisputeId): Promise<void> {
    const dispute = await this.deps.disputes.lock(tx, disputeId);
    if (dispute === null) throw notFound();
    if (!awaitsCompany(dispute))
      throw new ApiError(
        'invalid_state',
        `The dispute is ${dispute.status}; only an open one takes evidence.`,
      );
    const last = await this.deps.disputeRequests.findLast(disputeId, tx);
    if (last !== null && isUnderWay(last))
      throw new ApiError('invalid_state', 'An answer to the dispute is being sent to the gateway already.');
  }

  private async audit(
    tx: Tx,
    { companyId, userId, requestId, sessionId }: AuditActor,
    { disputeId }: EvidenceOwner,
    action: AuditAction,
    changes: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.deps.audit.insert(tx, {
      companyId,
      userId,
      requestId,
      ...(sessionId !== undefined && { sessionId }),
      ...{ action, subjectType: 'dispute', subjectId: disputeId, changes },
    });
  }
}

/** The contract allows exactly one of `text` and `file`. */
function contentOf({ text, file }: EvidenceRequest): EvidenceContent {
  if (file === undefined) return { form: 'text', text: text ?? '' };
  const bytes = decodeBase64(file.content);
  if (bytes === null) throw validationError({ 'file.content': ['must be base64 (RFC 4648, section 4)'] });
  return { form: 'file', name: file.name, contentType: file.content_type, bytes };
}

function keyOf({ customerKey }: EvidenceOwner): CustomerKey {
  if (customerKey === null)
    throw new ApiError(
      'invalid_state',
      'The customer of the payment was erased, so evidence cannot be stored.',
    );
  return customerKey;
}

function taken({ kind, content: { form } }: NewEvidence): ApiError {
  return new ApiError('invalid_state', `There is a ${form} for ${kind} already. Delete it first.`);
}
