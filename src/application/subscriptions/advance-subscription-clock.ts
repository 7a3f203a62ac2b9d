import { notFound, validationError } from '../../domain/shared/errors';
import { parseSubscriptionId } from '../../domain/shared/ids';
import { clockTargetProblem, paymentNow } from '../../domain/payments/payment-clock';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import type { Database } from '../../persistence/sql/transaction';
import type { SubscriptionWorkflows } from '../../temporal/subscriptions';
import type { AdvanceClockCommand } from '../payments/advance-payment-clock';
import { toStart } from './subscription-answer';

/** How far a subscription's clock may be sent at once. */
const FARTHEST_YEARS = 20;

export interface AdvanceSubscriptionClockDeps {
  readonly db: Database;
  readonly subscriptions: SubscriptionRepository;
  readonly workflows: Pick<SubscriptionWorkflows, 'wake'>;
  readonly reportError: (subscriptionId: string, error: unknown) => void;
  readonly now: () => Date;
}

/** Sends a subscription's own clock to an instant, for the sandbox; its workflow lives through what is due on the way. */
export class AdvanceSubscriptionClock {
  constructor(private readonly deps: AdvanceSubscriptionClockDeps) {}

  /** @throws ApiError `not_found`; `validation_error` on `advance_to` */
  async execute({ companyId, id, advanceTo }: AdvanceClockCommand): Promise<SubscriptionRecord> {
    const uuid = parseSubscriptionId(id);
    if (uuid === null) throw notFound();
    const sent = await this.deps.db.inTransaction(async (tx) => {
      const record = await this.deps.subscriptions.lockOf(tx, companyId, uuid);
      if (record === null) throw notFound();
      const { row } = record;
      const now = this.deps.now();
      const from = paymentNow(row, now);
      const goingTo = row.clockTarget !== null && row.clockTarget > from ? row.clockTarget : from;
      const problem = clockTargetProblem(advanceTo, goingTo, FARTHEST_YEARS);
      if (problem !== null) throw validationError({ advance_to: [problem] });
      await this.deps.subscriptions.change(tx, row.id, { clockNow: from, clockTarget: advanceTo });
      await this.deps.subscriptions.noteNews(tx, uuid, now);
      return this.deps.subscriptions.lock(tx, uuid);
    });
    try {
      await this.deps.workflows.wake(toStart(sent));
    } catch (error) {
      // The sweeper wakes it.
      this.deps.reportError(uuid, error);
    }
    return sent;
  }
}
