import type { SystemStatus } from '../../../application/system/system-status';
import { notFound } from '../../../domain/shared/errors';
import { isOperator } from '../../../domain/users/operator';
import { presentSystemStatus } from '../../../presenters/system/system-status';
import type { RouteHandlers } from '../../server/route';

export interface SystemRouteDeps {
  /** In lower case. */
  readonly operatorEmails: ReadonlySet<string>;
  readonly readStatus: () => Promise<SystemStatus>;
}

/** For the operators of the deployment alone; for all others the route does not exist. */
export function systemRoutes({
  operatorEmails,
  readStatus,
}: SystemRouteDeps): Pick<RouteHandlers, 'getSystemStatus'> {
  return {
    getSystemStatus: async ({ user }) => {
      if (!isOperator(user, operatorEmails)) throw notFound();
      return { status: 200, body: presentSystemStatus(await readStatus()) };
    },
  };
}
