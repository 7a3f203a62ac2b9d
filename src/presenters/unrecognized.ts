import type { Seen, UnrecognizedOfGateway } from '../domain/routing/unrecognized-answer';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];

export function presentUnrecognized({
  answers,
  callbacks,
}: UnrecognizedOfGateway): Schemas['UnrecognizedResponse']['data'] {
  return {
    answers: answers.map((answer) => ({
      vendor: answer.vendor,
      operation: answer.operation,
      http_status: answer.status,
      content_type: answer.contentType,
      shape: answer.shape,
      fingerprint: answer.fingerprint,
      ...presentSeen(answer),
      last_transaction_id: answer.lastTransactionId,
    })),
    callbacks: callbacks.map((callback) => ({ kind: callback.kind, ...presentSeen(callback) })),
  };
}

function presentSeen({ seenCount, firstSeenAt, lastSeenAt }: Seen) {
  return {
    count: seenCount,
    first_seen_at: firstSeenAt.toISOString(),
    last_seen_at: lastSeenAt.toISOString(),
  };
}
