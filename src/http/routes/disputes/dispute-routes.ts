import type { AnswerDispute } from '../../../application/disputes/answer-dispute';
import type { Evidence } from '../../../application/disputes/evidence';
import type { ReleaseCard } from '../../../application/disputes/release-card';
import type { CreateOnce } from '../../../application/shared/create-once';
import { auditActorOf } from '../../../domain/companies/audit-actor';
import { notFound } from '../../../domain/shared/errors';
import type { DisputeRequestKind } from '../../../domain/disputes/dispute-request';
import { parseDisputeId, type DisputeId } from '../../../domain/shared/ids';
import type { DisputeList, ListedDispute } from '../../../persistence/read-models/dispute-list';
import { presentDispute, presentDisputeDetail } from '../../../presenters/disputes/dispute';
import { presentEvidence } from '../../../presenters/disputes/evidence';
import { presentPage } from '../../../presenters/page';
import type { RouteHandlers } from '../../server/route';
import { answerCreation } from '../creation';

export interface DisputeRouteDeps {
  readonly disputes: DisputeList;
  readonly answerDispute: AnswerDispute;
  readonly releaseCard: ReleaseCard;
  readonly evidence: Evidence;
  /** What the company can answer now. */
  readonly answersTo: (company: number, dispute: ListedDispute) => DisputeRequestKind[];
  readonly workflowLink: (dispute: DisputeId) => { readonly id: string; readonly url: string | null };
  readonly createOnce: CreateOnce;
}

type DisputeRouteId =
  | 'listDisputes'
  | 'getDispute'
  | 'acceptDispute'
  | 'submitDispute'
  | 'releaseCard'
  | 'listEvidence'
  | 'addEvidence'
  | 'deleteEvidence';

/** The disputes of the company's payments. */
export function disputeRoutes({
  disputes,
  answerDispute,
  releaseCard,
  evidence,
  answersTo,
  workflowLink,
  createOnce,
}: DisputeRouteDeps): Pick<RouteHandlers, DisputeRouteId> {
  return {
    listDisputes: async ({ company, query }) => {
      const {
        status,
        kind,
        gateway,
        transaction_id: transactionId,
        subscription_id: subscriptionId,
        due_before: due,
        loss_to_settle: loss,
      } = query;
      const dueBefore = due === undefined ? undefined : new Date(due);
      const ofPayment = { transactionId, subscriptionId, dueBefore, hasLossToSettle: loss };
      const filter = { status, kind, gateway, ...ofPayment };
      const page = { number: query.page, size: query.per_page };
      const found = await disputes.load(company.id, filter, page);
      return { status: 200, body: presentPage(found, page, presentDispute) };
    },

    getDispute: async ({ company, params }) => {
      const id = parseDisputeId(params.id);
      const dispute = id && (await disputes.find(company.id, id));
      if (id === null || dispute === null) throw notFound();
      const detail = { answers: answersTo(company.id, dispute), workflow: workflowLink(id) };
      return { status: 200, body: { data: presentDisputeDetail(dispute, detail) } };
    },

    acceptDispute: async (request) => {
      const dispute = await answerDispute.accept(auditActorOf(request), request.params.id);
      const status = dispute.status === 'accepted' ? 200 : 202;
      return { status, body: { data: presentDispute(dispute) } };
    },

    submitDispute: async (request) => {
      const dispute = await answerDispute.submit(auditActorOf(request), request.params.id);
      const status = dispute.status === 'submitted' ? 200 : 202;
      return { status, body: { data: presentDispute(dispute) } };
    },

    releaseCard: async (request) => {
      const { params, body } = request;
      const dispute = await releaseCard.execute(auditActorOf(request), params.id, body.reason);
      return { status: 200, body: { data: presentDispute(dispute) } };
    },

    listEvidence: async ({ company, params }) => {
      const listed = await evidence.list(company.id, params.id);
      return { status: 200, body: { data: listed.map(presentEvidence) } };
    },

    addEvidence: (request) => {
      const { params, body } = request;
      const add = () => evidence.add(auditActorOf(request), params.id, body);
      return answerCreation(createOnce, request, add, {
        status: 201,
        present: (added) => ({ data: presentEvidence(added.evidence) }),
        personal: (added) => added.personal,
      });
    },

    deleteEvidence: async (request) => {
      const { id, evidence_id: evidenceId } = request.params;
      await evidence.delete(auditActorOf(request), id, evidenceId);
      return { status: 204 };
    },
  };
}
