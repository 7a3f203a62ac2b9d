import { randomUUID } from 'node:crypto';
import type { CallbackHint, CallbackReading, RawCallback } from '../callback';
import { parseJson } from '../parse-json';
import { notification } from './wire';

/**
 * The name of the header whose value Cielo's support sets for the company ("Endpoint de Notificação": up to three headers of a
 * name and a fixed value). The company asks for this name.
 */
export const TOKEN_HEADER = 'x-cielo-notification';

/** "Tabela de ChangeType": the state of a sale, a decision of the antifraud service, a refused void. */
const STATUS_CHANGES: ReadonlySet<number> = new Set([1, 3, 5]);
const CHARGEBACK = 7;

/** A notification names a sale and the kind of its change, and nothing else. Those about recurrences and fraud alerts are not ours. */
export function readCieloNotification({ body }: RawCallback): CallbackReading {
  const reading = notification.safeParse(parseJson(body.toString('utf8')));
  if (!reading.success) return { kind: 'unreadable' };
  const { PaymentId, ChangeType } = reading.data;
  if (!STATUS_CHANGES.has(ChangeType) && ChangeType !== CHARGEBACK) return { kind: 'foreign' };
  const hint: CallbackHint = {
    // Cielo gives events no id, and the next change of the same sale has the same body: each one counts as new.
    eventId: randomUUID(),
    kind: ChangeType === CHARGEBACK ? 'chargeback' : 'status',
    subject: { reference: null, gatewayTransactionId: PaymentId },
    reportedState: null,
  };
  return { kind: 'hints', hints: [hint] };
}
