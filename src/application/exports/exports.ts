import { validate as isUuid } from 'uuid';
import { validationError, type ApiError } from '../../domain/shared/errors';
import { parsePlanId } from '../../domain/shared/ids';
import type { PublishedEvent } from '../../domain/webhooks/webhook-event';
import { daysIn } from '../../domain/time/day-range';
import type { PaymentRecord, PaymentRepository } from '../../persistence/payments/payment-repository';
import type {
  ExportKeyReader,
  ExportPlace,
  OperationFilter,
} from '../../persistence/read-models/export-keys';
import type { ExportedOperation } from '../../persistence/read-models/exported-operations';
import type { PaymentListFilter } from '../../persistence/read-models/payment-conditions';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import type { ListedEvent } from '../../persistence/webhooks/event-repository';
import type { SubscriptionQuery } from '../subscriptions/subscriptions';
import { UNKNOWN_PLAN } from '../subscriptions/subscription-request';
import type { ListEvents } from '../webhooks/list-events';
import { pagesAfter, throttled } from './export-pages';
import type { ExportSlots } from './export-slots';

export interface ExportDeps {
  readonly keys: ExportKeyReader;
  readonly slots: ExportSlots;
  readonly payments: Pick<PaymentRepository, 'listByIds'>;
  readonly subscriptions: Pick<SubscriptionRepository, 'listByIds'>;
  readonly listOperations: (ids: readonly string[]) => Promise<ExportedOperation[]>;
  readonly listEvents: ListEvents;
}

interface ExportingCompany {
  readonly id: number;
  readonly timezone: string;
}

/** Days inclusive, in the company's time zone. */
interface ExportedDays {
  readonly startDate?: string | undefined;
  readonly endDate?: string | undefined;
}

type OperationQuery = ExportedDays & Pick<OperationFilter, 'gateway'>;

/** One recipient's share of an operation. Its export id is `<operation id>.<position>`. */
export interface ExportedSplit {
  readonly operation: ExportedOperation;
  readonly position: number;
  readonly share: NonNullable<ExportedOperation['splits']>[number];
}

export interface ExportedEvent {
  readonly event: ListedEvent;
  readonly cursor: string;
}

const EVENTS_AT_ONCE = 200;

/**
 * Reads everything of one kind that a company has, in pages. Newest first, except events, which are in the order of their list.
 * `after` is what the first column shows of the last row that the client has; null begins. Rows are shown as they are when
 * they are read. Every row that was committed before the export began and passes the filter is in it once.
 *
 * Each throws ApiError `validation_error` if `after` is no such row, `rate_limited` if too many exports are running.
 */
export class Exports {
  constructor(private readonly deps: ExportDeps) {}

  payments(company: ExportingCompany, filter: PaymentListFilter, after: string | null) {
    const { keys, payments } = this.deps;
    const range = daysIn(company.timezone, filter.startDate, filter.endDate);
    return this.limited<PaymentRecord>(company.id, async () =>
      pagesAfter(
        await this.placeOf(company.id, 'payments', after),
        (place) => keys.payments(company.id, range, filter, place),
        async (ids) => inOrder(ids, await payments.listByIds(ids)),
      ),
    );
  }

  subscriptions(
    company: ExportingCompany,
    { plan_id: plan, ...query }: SubscriptionQuery & ExportedDays,
    after: string | null,
  ) {
    const { keys, subscriptions } = this.deps;
    const planId = plan === undefined ? undefined : parsePlanId(plan);
    if (planId === null) throw validationError({ plan_id: [UNKNOWN_PLAN] });
    const range = daysIn(company.timezone, query.startDate, query.endDate);
    const { status, customer: customerToken, charge_on_hold: isChargeOnHold } = query;
    return this.limited<SubscriptionRecord>(company.id, async () =>
      pagesAfter(
        await this.placeOf(company.id, 'subscriptions', after),
        (place) =>
          keys.subscriptions(company.id, range, { status, planId, customerToken, isChargeOnHold }, place),
        (ids) => subscriptions.listByIds(ids),
      ),
    );
  }

  refunds(company: ExportingCompany, filter: OperationQuery, after: string | null) {
    return this.limited<ExportedOperation>(company.id, async () =>
      this.operations(company, filter, 'refunds', await this.placeOf(company.id, 'operations', after)),
    );
  }

  /** Shares of charges, captures and refunds that were made or may be. */
  splits(company: ExportingCompany, filter: OperationQuery, after: string | null) {
    return this.limited<ExportedSplit>(company.id, async () => {
      const begun = after === null ? null : parseSplitId(after);
      const place = await this.placeOf(company.id, 'operations', begun && begun.operationId);
      return this.splitPages(this.operations(company, filter, 'splits', place), begun);
    });
  }

  events(company: ExportingCompany, type: PublishedEvent | null, after: string | null) {
    return this.limited<ExportedEvent>(company.id, async () => this.eventPages(company.id, type, after));
  }

  private operations(
    company: ExportingCompany,
    { startDate, endDate, gateway }: OperationQuery,
    kind: OperationFilter['kind'],
    start: ExportPlace | null,
  ): AsyncGenerator<readonly ExportedOperation[]> {
    const range = daysIn(company.timezone, startDate, endDate);
    return pagesAfter(
      start,
      (place) => this.deps.keys.operations(company.id, range, { kind, gateway }, place),
      (ids) => this.deps.listOperations(ids),
    );
  }

  /** First the rest of the operation `begun`, of which the client has the shares up to a position. */
  private async *splitPages(
    operations: AsyncGenerator<readonly ExportedOperation[]>,
    begun: SplitId | null,
  ): AsyncGenerator<readonly ExportedSplit[]> {
    if (begun !== null) {
      const shares = sharesOf(await this.deps.listOperations([begun.operationId]));
      yield shares.filter(({ position }) => position > begun.position);
    }
    for await (const page of operations) yield sharesOf(page);
  }

  private async *eventPages(
    companyId: number,
    type: PublishedEvent | null,
    after: string | null,
  ): AsyncGenerator<readonly ExportedEvent[]> {
    if (after !== null && !EVENT_CURSOR.test(after)) throw unknownRow();
    let page = { nextAfter: after, hasMore: true };
    while (page.hasMore) {
      const { events, cursors, ...next } = await this.deps.listEvents.listKept(companyId, {
        ...{ after: page.nextAfter, type, limit: EVENTS_AT_ONCE },
      });
      yield events.map((event, index) => ({ event, cursor: cursors[index] ?? '' }));
      page = next;
    }
  }

  /** Nothing runs before the first page is asked for, and the slot is given back when the last one is. */
  private async *limited<Row>(
    companyId: number,
    begin: () => Promise<AsyncGenerator<readonly Row[]>>,
  ): AsyncGenerator<readonly Row[]> {
    const release = this.deps.slots.acquire(companyId);
    try {
      yield* throttled(await begin());
    } finally {
      release();
    }
  }

  private async placeOf(
    companyId: number,
    kind: 'payments' | 'operations' | 'subscriptions',
    after: string | null,
  ): Promise<ExportPlace | null> {
    if (after === null) return null;
    const place = isUuid(after) ? await this.deps.keys.placeOf(companyId, kind, after) : null;
    if (place === null) throw unknownRow();
    return place;
  }
}

interface SplitId {
  readonly operationId: string;
  readonly position: number;
}

/** @throws ApiError `validation_error` */
function parseSplitId(text: string): SplitId {
  const [operationId = '', position, ...rest] = text.split('.');
  if (position === undefined || rest.length > 0) throw unknownRow();
  return { operationId, position: Number(position) };
}

const EVENT_CURSOR = /^\d+-\d+$/;

/** The same for a row of another company. */
function unknownRow(): ApiError {
  return validationError({ after: ['must be the first column of a row of this export'] });
}

function inOrder<Row extends { readonly id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function sharesOf(operations: readonly ExportedOperation[]): ExportedSplit[] {
  return operations.flatMap((operation) =>
    (operation.splits ?? []).map((share, position) => ({ operation, position, share })),
  );
}
