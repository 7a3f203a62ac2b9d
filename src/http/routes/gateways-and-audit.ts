import type { CompanyGateways } from '../../application/companies/company-gateways';
import type { SaveGatewaysDeps } from '../../application/companies/save-gateways';
import { saveUserGateway } from '../../application/companies/save-user-gateway';
import { auditActorOf } from '../../domain/companies/audit-actor';
import type { AuditLog } from '../../persistence/read-models/audit-log';
import { presentAuditEntry } from '../../presenters/audit';
import { presentGatewayState } from '../../presenters/gateway-state';
import { presentUnrecognized } from '../../presenters/unrecognized';
import { presentPage } from '../../presenters/page';
import type { RouteHandlers } from '../server/route';
import { pageRequest } from './page-request';

export interface GatewayAndAuditRouteDeps {
  readonly companyGateways: CompanyGateways;
  readonly gateways: SaveGatewaysDeps;
  readonly auditLog: AuditLog;
}

/** A company's gateways, and the audit log of its users' changes. */
export function gatewayAndAuditRoutes({
  companyGateways,
  gateways,
  auditLog,
}: GatewayAndAuditRouteDeps): Pick<
  RouteHandlers,
  'listGateways' | 'listUnrecognized' | 'updateGateway' | 'saveUserGateway' | 'listAuditLog'
> {
  return {
    listGateways: async ({ company, receivedAt }) => {
      const gateways = await companyGateways.list(company);
      return {
        status: 200,
        body: { data: gateways.map((gateway) => presentGatewayState(gateway, receivedAt)) },
      };
    },

    listUnrecognized: async ({ company, params }) => {
      const found = await companyGateways.listUnrecognized(company, params.slug);
      return { status: 200, body: { data: presentUnrecognized(found) } };
    },

    updateGateway: async (request) => {
      const { company, params, receivedAt } = request;
      const { enabled, order, webhook_secret: webhookSecret } = request.body;
      const change = { enabled, order, webhookSecret };
      const changed = await companyGateways.update(auditActorOf(request), company, params.slug, change);
      return { status: 200, body: { data: presentGatewayState(changed, receivedAt) } };
    },

    saveUserGateway: async (request) => {
      const { company, params, body: values, receivedAt } = request;
      const command = { actor: auditActorOf(request), company, slug: params.slug, values, receivedAt };
      await saveUserGateway(gateways, command);
      const saved = await companyGateways.get(company, params.slug);
      return { status: 200, body: { data: presentGatewayState(saved, receivedAt) } };
    },

    listAuditLog: async ({ company, query }) => {
      const page = pageRequest(query);
      const { action, subject_type: subjectType, subject_id: subjectId, from, to } = query;
      const found = await auditLog.load(company, { action, subjectType, subjectId, from, to }, page);
      return { status: 200, body: presentPage(found, page, presentAuditEntry) };
    },
  };
}
