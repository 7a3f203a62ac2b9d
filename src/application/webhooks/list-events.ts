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

/** Published events, oldest first, for receivers that missed deliveries. */
export class ListEvents {
  constructor(private readonly events: EventRepository) {}

  async execute(
    companyId: number,
    { after, type, limit }: { after: string | null; type: PublishedEvent | null; limit: number },
  ): Promise<EventPage> {
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
