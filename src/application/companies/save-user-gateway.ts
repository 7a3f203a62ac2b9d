import type { AuditActor } from '../../domain/companies/audit-actor';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { GatewayCredentialInput } from '../../domain/routing/gateway-credentials';
import { ApiError, notFound, type FieldErrors } from '../../domain/shared/errors';
import { CREDENTIAL_GATEWAY_SLUGS } from '../../domain/shared/gateway-slug';
import { saveGateways, type SaveGatewaysDeps } from './save-gateways';

export interface SaveUserGatewayCommand {
  readonly actor: AuditActor;
  readonly company: AuthenticatedCompany;
  readonly slug: string;
  readonly values: Pick<GatewayCredentialInput, 'secret_key' | 'client_id' | 'credentials' | 'same_account'>;
  readonly receivedAt: Date;
}

/** Where `saveGateways` finds the fields of its only item. */
const ITEM_PATH = 'gateways.0.';

/**
 * Saves a company's own credentials at one gateway, as a user asked.
 *
 * @throws ApiError `not_found` for a gateway that takes no credentials of companies, and those of `saveGateways`
 */
export async function saveUserGateway(
  deps: SaveGatewaysDeps,
  { actor, company, slug, values, receivedAt }: SaveUserGatewayCommand,
): Promise<void> {
  if (!CREDENTIAL_GATEWAY_SLUGS.some((known) => known === slug)) throw notFound();
  try {
    await saveGateways(deps, {
      company,
      caller: { kind: 'user', actor },
      items: [{ ...values, gateway_slug: slug }],
      requestId: actor.requestId,
      receivedAt,
    });
  } catch (error) {
    if (!(error instanceof ApiError) || error.fields === undefined) throw error;
    const fields: FieldErrors = Object.fromEntries(
      Object.entries(error.fields).map(([path, problems]) => [path.replace(ITEM_PATH, ''), problems]),
    );
    throw new ApiError(error.code, error.message, fields);
  }
}
