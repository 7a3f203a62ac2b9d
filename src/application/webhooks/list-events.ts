import { ApiError } from '../../domain/shared/errors';
import type { PublishedEvent } from '../../domain/webhooks/webhook-event';
import type { EventCursor, EventRepository, ListedEvent } from '../../persistence/webhooks/event-repository';

export interface EventPage {
  readonly events: readonly ListedEvent[];
  /** The cursor after each event. */
  readonly cursors: readonly string[];
  /** The cursor of the next page; null if no event was published yet. */
  readonly nextAfter: string | null;
  readonly hasMore: boolean;
}

interface EventPageRequest {
  readonly after: string | null;
  readonly type: PublishedEvent | null;
  readonly limit: number;
}

const EXPIRED =
  'Events after this cursor were too old and are deleted. ' +
  "Read what you missed from the lists of payments, subscriptions and disputes, then start again without 'after'.";

/** Published events, oldest first, for receivers that missed deliveries. */
export class ListEvents {
  constructor(private readonly events: EventRepository) {}

  /** @throws ApiError `cursor_expired` if events after the cursor were deleted, because the reader would miss them */
  async execute(companyId: number, request: EventPageRequest): Promise<EventPage> {
    const page = await this.listKept(companyId, request);
    const { after, type } = request;
    // After the list was read: what is deleted meanwhile may be missing from it.
    if (after !== null && (await this.events.isDeletedAfter(companyId, parseCursor(after), type))) {
      throw new ApiError('cursor_expired', EXPIRED);
    }
    return page;
  }

  /** The same of the events that are kept, whatever was deleted before them. */
  async listKept(companyId: number, { after, type, limit }: EventPageRequest): Promise<EventPage> {
    const cursor = after === null ? null : parseCursor(after);
    const found = await this.events.list(companyId, { after: cursor, type, limit: limit + 1 });
    const events = found.slice(0, limit);
    const cursors = events.map(({ txId, id }) => `${txId}-${id}`);
    return {
      events,
      cursors,
      nextAfter: cursors.at(-1) ?? after,
      hasMore: found.length > limit,
    };
  }
}

/** openapi.yaml guarantees the format. */
function parseCursor(text: string): EventCursor {
  const [txId = '0', id = '0'] = text.split('-');
  return { txId, id: Number(id) };
}
