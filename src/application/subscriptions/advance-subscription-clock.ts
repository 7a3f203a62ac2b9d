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

/** A request may advance the clock by at most this many years. */
const MAX_ADVANCE_YEARS = 20;

export interface AdvanceSubscriptionClockDeps {
  readonly db: Database;
  readonly subscriptions: SubscriptionRepository;
  readonly workflows: Pick<SubscriptionWorkflows, 'wake'>;
  readonly reportError: (subscriptionId: string, error: unknown) => void;
  readonly now: () => Date;
}

/** Advances a subscription's test clock in the sandbox. The workflow processes the events that become due. */
export class AdvanceSubscriptionClock {
  constructor(private readonly deps: AdvanceSubscriptionClockDeps) {}

  /** @throws ApiError `not_found`; `validation_error` on `advance_to` */
  async execute({ companyId, id, advanceTo }: AdvanceClockCommand): Promise<SubscriptionRecord> {
    const uuid = parseSubscriptionId(id);
    if (uuid === null) throw notFound();
    const record = await this.deps.db.inTransaction(async (tx) => {
      const before = await this.deps.subscriptions.lockForCompany(tx, companyId, uuid);
      if (before === null) throw notFound();
      const { row } = before;
      const now = this.deps.now();
      const from = paymentNow(row, now);
      const target = row.clockTarget !== null && row.clockTarget > from ? row.clockTarget : from;
      const problem = clockTargetProblem(advanceTo, target, MAX_ADVANCE_YEARS);
      if (problem !== null) throw validationError({ advance_to: [problem] });
      await this.deps.subscriptions.change(tx, row, { clockNow: from, clockTarget: advanceTo });
      await this.deps.subscriptions.requestWake(tx, uuid, now);
      return this.deps.subscriptions.lock(tx, uuid);
    });
    try {
      await this.deps.workflows.wake(toStart(record));
    } catch (error) {
      // The sweeper will signal it.
      this.deps.reportError(uuid, error);
    }
    return record;
  }
}
