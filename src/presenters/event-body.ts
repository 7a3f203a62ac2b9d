import type { Mode } from '../domain/shared/mode';
import type { EventSubject, WebhookEventType } from '../domain/webhooks/webhook-event';

/** A stored event. */
export interface PresentableEventBody {
  readonly id: number;
  readonly type: WebhookEventType;
  /** Of the data that it is about. */
  readonly mode: Mode;
  readonly subject: EventSubject;
  readonly sequence: number;
  /** What the body shows of the subject. */
  readonly content: object;
}

/** The body of an event, equal in webhooks and in `GET /events`. */
export function presentEventBody({ id, type, mode, subject, sequence, content }: PresentableEventBody) {
  return { event: type, event_id: id, mode, subject, sequence, ...content };
}
