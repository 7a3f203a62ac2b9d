import { acceptsDisputes } from '../../../gateways/simulator/profiles';
import { acceptDispute, findDispute, type FoundDispute } from '../../operations/accept-dispute';
import { gatewayErrorResponse, scriptedErrorResponse } from '../../replies';
import type { SimulatorCore, VendorCall, VendorHttpRequest, WorkResult } from '../adapter';

/** `GET /disputes/{id}` and `POST /disputes/{id}/accept`. Null for another route. */
export function disputeCall(
  core: SimulatorCore,
  { gateway, method, path }: VendorHttpRequest,
  idempotencyKey: string | null,
): VendorCall | null {
  const [resource, id, action, ...rest] = path;
  if (resource !== 'disputes' || id === undefined || rest.length > 0) return null;
  const accepts = method === 'POST' && action === 'accept';
  if (!accepts && (method !== 'GET' || action !== undefined)) return null;
  const find = (): FoundDispute | null => {
    const found = findDispute(core.store, id);
    return found?.charge.gateway === gateway ? found : null;
  };
  return {
    operation: accepts ? 'dispute' : 'inquiry',
    amount: null,
    reference: find()?.charge.reference ?? null,
    idempotencyKey,
    prepare: (account) => ({
      run: () => {
        const found = find();
        if (found === null || !core.accounts.canRead(account, found.charge.account))
          return { response: gatewayErrorResponse('not_found', 'no such dispute') };
        if (!acceptsDisputes(gateway))
          return { response: gatewayErrorResponse('not_supported', 'disputes are accepted on other pages') };
        return accepts ? accept(core, found) : { response: shown(found) };
      },
      fail: scriptedErrorResponse,
      finish: () => undefined,
    }),
  };
}

/** Accepting a lost dispute changes nothing, so a repetition gets the same answer. */
function accept(core: SimulatorCore, found: FoundDispute): WorkResult {
  if (found.dispute.status === 'lost') return { response: shown(found) };
  if (found.dispute.status === 'won')
    return { response: gatewayErrorResponse('invalid_state', 'the dispute is won') };
  const accepted = acceptDispute(core.store, found);
  return { response: shown(accepted), charge: accepted.charge, dispute: accepted.dispute, announced: true };
}

function shown({ dispute: { id, status } }: FoundDispute): WorkResult['response'] {
  return { status: 200, body: { id, status } };
}
