import type { PersonalContent, PersonalDataCipher } from '../../domain/customers/personal-data';
import type { EventSubject } from '../../domain/webhooks/webhook-event';
import {
  openContent,
  sealContent,
  sealedContentOf,
  type SealedContent,
  type StoredContent,
} from '../customers/personal-content';

interface EventKey {
  readonly subject: EventSubject;
  readonly sequence: number;
}

/** The columns of `events e` that open its content, and its mode. */
export const EVENT_CONTENT = `jsonb_build_object('type', e.subject_type, 'id', e.subject_id) AS subject, e.sequence,
  (SELECT mode FROM companies WHERE companies.id = e.company_id) AS mode,
  e.payload::json AS content, ${sealedContentOf('e')}`;

export function sealEvent(
  cipher: PersonalDataCipher,
  event: EventKey & { readonly content: object; readonly personal: PersonalContent | null },
): Promise<SealedContent> {
  return sealContent(cipher, event.content, event.personal, recordOf(event));
}

/** A row with `EVENT_CONTENT`, opened. */
export async function openEvent<Row extends StoredContent & EventKey>(
  cipher: PersonalDataCipher,
  row: Row,
): Promise<Omit<Row, keyof StoredContent> & { readonly content: object }> {
  const { customerKey, personalData, content, ...event } = row;
  const opened = await openContent(cipher, { customerKey, personalData, content }, recordOf(row));
  return { ...event, content: opened as object };
}

function recordOf({ subject, sequence }: EventKey): string {
  return `events:${subject.type}:${subject.id}:${sequence}`;
}
