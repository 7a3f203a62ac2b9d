import type { ReceiveCallback } from '../../application/payments/receive-callback';
import type { RouteHandlers } from '../server/route';

export function callbackRoutes(
  receiveCallback: ReceiveCallback,
): Pick<RouteHandlers, 'receiveCallback' | 'receivePixCallback'> {
  const receive: RouteHandlers['receiveCallback'] = async ({ params, query, body, receivedAt }) => {
    await receiveCallback.execute({ slug: params.gateway, mode: query.mode ?? null }, body, receivedAt);
    return { status: 200, body: { received: true } };
  };
  return { receiveCallback: receive, receivePixCallback: receive };
}
