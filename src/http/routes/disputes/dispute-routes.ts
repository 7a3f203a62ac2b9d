import type { AcceptDispute } from '../../../application/disputes/accept-dispute';
import { auditActorOf } from '../../../domain/companies/audit-actor';
import { notFound } from '../../../domain/shared/errors';
import { parseDisputeId } from '../../../domain/shared/ids';
import type { DisputeList } from '../../../persistence/read-models/dispute-list';
import { presentDispute } from '../../../presenters/disputes/dispute';
import { presentPage } from '../../../presenters/page';
import type { RouteHandlers } from '../../server/route';

export interface DisputeRouteDeps {
  readonly disputes: DisputeList;
  readonly acceptDispute: AcceptDispute;
}

/** The disputes of the company's payments. */
export function disputeRoutes({
  disputes,
  acceptDispute,
}: DisputeRouteDeps): Pick<RouteHandlers, 'listDisputes' | 'getDispute' | 'acceptDispute'> {
  return {
    listDisputes: async ({ company, query }) => {
      const {
        status,
        kind,
        gateway,
        transaction_id: transactionId,
        due_before: due,
        loss_to_settle: loss,
      } = query;
      const dueBefore = due === undefined ? undefined : new Date(due);
      const filter = { status, kind, gateway, transactionId, dueBefore, hasLossToSettle: loss };
      const page = { number: query.page, size: query.per_page };
      const found = await disputes.load(company.id, filter, page);
      return { status: 200, body: presentPage(found, page, presentDispute) };
    },

    getDispute: async ({ company, params }) => {
      const id = parseDisputeId(params.id);
      const dispute = id && (await disputes.find(company.id, id));
      if (dispute === null) throw notFound();
      return { status: 200, body: { data: presentDispute(dispute) } };
    },

    acceptDispute: async (request) => {
      const dispute = await acceptDispute.execute(auditActorOf(request), request.params.id);
      const status = dispute.status === 'accepted' ? 200 : 202;
      return { status, body: { data: presentDispute(dispute) } };
    },
  };
}
