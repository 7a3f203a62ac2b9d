import type { StoredCharge } from '../../charge-store';
import type { CallbackKind, CallbackMessage } from '../adapter';
import { paymentIdOf } from './endpoint';

/** The table of ChangeType: https://developercielo.github.io/manual/cielo-ecommerce#tabela-de-changetype */
const CHANGE = { status: 1, cancellation_denied: 5, chargeback: 7 } as const;
const DEFAULT_HEADER = 'x-cielo-notification';

/** One notification about the last change. Without an id of its own, without a signature, and without our reference. */
export function notificationsOf(charge: StoredCharge, kind: CallbackKind): CallbackMessage[] {
  const body = { PaymentId: paymentIdOf(charge.id), ChangeType: changeOf(charge, kind) };
  return [{ body: Buffer.from(JSON.stringify(body)), sign: staticHeaders }];
}

function changeOf({ operations }: StoredCharge, kind: CallbackKind): number {
  if (kind === 'chargeback') return CHANGE.chargeback;
  const last = operations.at(-1);
  const isCancellation = last?.operation === 'refund' || last?.operation === 'cancel';
  return isCancellation && last.status === 'declined' ? CHANGE.cancellation_denied : CHANGE.status;
}

/** Up to three headers that the merchant has chosen: `name: value`, separated by lines; a secret without a name has a name of ours. */
function staticHeaders(secret: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    secret
      .split('\n')
      .slice(0, 3)
      .map((line) => {
        const [, name, value] = /^([\w-]+): *(.+)$/.exec(line) ?? [undefined, DEFAULT_HEADER, line];
        return [(name ?? '').toLowerCase(), value ?? ''];
      }),
  );
}
