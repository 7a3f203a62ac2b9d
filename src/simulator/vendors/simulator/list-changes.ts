import { z } from 'zod';
import type { StoredCharge } from '../../charge-store';
import { chargeReplyOf, gatewayErrorResponse, type SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import type { SimulatorCall, SimulatorRequest } from './routes';

const PAGE = 100;

/** `GET /charges?changed_since=&after=`: a cursor is the time of the last change and the id of a charge. */
export function listChanges(
  core: SimulatorCore,
  { gateway, account }: Pick<SimulatorRequest, 'gateway' | 'account'>,
  { since, after }: Extract<SimulatorCall, { kind: 'list_changes' }>,
): SimulatorResponse {
  const from = z.iso.datetime().safeParse(since);
  if (!from.success)
    return gatewayErrorResponse('invalid_request', 'changed_since must be a time in ISO 8601');
  const changed = core.store
    .changedSince(new Date(from.data))
    .filter((charge) => charge.gateway === gateway && core.accounts.canRead(account, charge.account))
    .sort((one, other) => (cursorOf(one) < cursorOf(other) ? -1 : 1))
    .filter((charge) => after === null || cursorOf(charge) > after);
  const page = changed.slice(0, PAGE);
  const last = page.at(-1);
  return {
    status: 200,
    body: {
      data: page.map((charge) => ({
        ...chargeReplyOf(charge, core.inFlight.hasCharge(charge.id), core.origin),
        changed_at: charge.changedAt,
      })),
      next: last === undefined || changed.length === page.length ? null : cursorOf(last),
    },
  };
}

/** ISO 8601 in UTC sorts by time. */
function cursorOf({ changedAt = '', id }: StoredCharge): string {
  return `${changedAt} ${id}`;
}
