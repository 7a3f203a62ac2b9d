import type { ReceiveCallback } from '../../application/receive-callback';
import type { OperationHandlers } from '../operation';

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
