import type { AskedOperation, UnmatchedCallbackKind } from '../domain/routing/unrecognized-answer';
import type { components } from '../http/generated/openapi';

type Schemas = components['schemas'];

/** What a gateway sent that was not recognized. */
export interface PresentableUnrecognized {
  readonly answers: ReadonlyArray<
    Seen & {
      readonly vendor: string;
      readonly operation: AskedOperation;
      readonly status: number | null;
      readonly contentType: string | null;
      readonly shape: string;
      readonly fingerprint: string;
      readonly lastTransactionId: string | null;
    }
  >;
  readonly callbacks: ReadonlyArray<Seen & { readonly kind: UnmatchedCallbackKind }>;
}

interface Seen {
  readonly seenCount: number;
  readonly firstSeenAt: Date;
  readonly lastSeenAt: Date;
}

export function presentUnrecognized({
  answers,
  callbacks,
}: PresentableUnrecognized): Schemas['UnrecognizedResponse']['data'] {
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
