import type { ReceiveCallback } from '../../application/payments/receive-callback';
import type { RouteHandlers } from '../server/route';

export function callbackRoutes(receiveCallback: ReceiveCallback): Pick<RouteHandlers, 'receiveCallback'> {
  return {
    async receiveCallback({ params, body, receivedAt }) {
      await receiveCallback.execute(params.gateway, body, receivedAt);
      return { status: 200, body: { received: true } };
    },
  };
}
