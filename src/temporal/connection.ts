import { InterceptingCall, Metadata, status, type Interceptor } from '@grpc/grpc-js';
import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** Connects on the first call, so that a process can start and answer `unavailable` while Temporal is down. */
export function lazyConnection(address: string): Connection {
  const retry = makeGrpcRetryInterceptor(defaultGrpcRetryOptions());
  return Connection.lazy({ address, interceptors: [retry, failAfterClose] });
}

/**
 * Fails a call that begins after the connection was closed. The client retries a failed call by a timer; if the connection
 * is closed meanwhile, gRPC throws inside that timer: the process would end, and nobody would learn that the call failed.
 */
const failAfterClose: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return failedCall(error instanceof Error ? error.message : String(error));
  }
};

/** A call that ends at once with `CANCELLED`, which the client does not retry. */
function failedCall(details: string): InterceptingCall {
  return new InterceptingCall({
    start: (_metadata, listener) =>
      listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() }),
    sendMessage: () => undefined,
    sendMessageWithContext: () => undefined,
    startRead: () => undefined,
    halfClose: () => undefined,
    cancelWithStatus: () => undefined,
    getPeer: () => '',
    getAuthContext: () => null,
  });
}
