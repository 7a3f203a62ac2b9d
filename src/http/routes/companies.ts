import type { RegisterCompanyDeps } from '../../application/companies/register-company';
import { registerCompany } from '../../application/companies/register-company';
import { saveGateways, type SaveGatewaysDeps } from '../../application/companies/save-gateways';
import { presentGatewayCredential } from '../../presenters/gateway-credential';
import type { RouteHandlers } from '../server/route';

export const API_KEY_WARNING = 'Store the api_key now. It is not shown again and cannot be recovered.';

export interface CompanyRouteDeps {
  readonly registration: RegisterCompanyDeps;
  readonly gateways: SaveGatewaysDeps;
}

export function companyRoutes(
  deps: CompanyRouteDeps,
): Pick<RouteHandlers, 'registerCompany' | 'saveGateways'> {
  return {
    async registerCompany({ body }) {
      const { clientId, apiKey } = await registerCompany(deps.registration, body.name);
      const credentials = { client_id: clientId, api_key: apiKey, warning: API_KEY_WARNING };
      return { status: 200, body: { message: 'Company registered.', credentials } };
    },

    async saveGateways({ company, apiKeyId, body, requestId, receivedAt }) {
      const caller = { kind: 'api_key', id: apiKeyId } as const;
      const command = { company, caller, items: body.gateways, requestId, receivedAt };
      const saved = await saveGateways(deps.gateways, command);
      return { status: 200, body: { data: saved.map(presentGatewayCredential) } };
    },
  };
}
