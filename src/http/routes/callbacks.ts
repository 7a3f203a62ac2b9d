import type { ReceiveCallback } from '../../application/payments/receive-callback';
import type { OperationHandlers } from '../server/operation';

export function callbackOperations(
  receiveCallback: ReceiveCallback,
): Pick<OperationHandlers, 'receiveCallback'> {
  return {
    async receiveCallback({ params, body, receivedAt }) {
      await receiveCallback.execute(params.gateway, body, receivedAt);
      return { status: 200, body: { received: true } };
    },
  };
}
