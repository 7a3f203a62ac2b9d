import { notFound, validationError } from '../../domain/shared/errors';
import { parsePlanId, parseSubscriptionId } from '../../domain/shared/ids';
import type { Page, PageRequest } from '../../domain/shared/page';
import type { SubscriptionStatus } from '../../domain/subscriptions/subscription';
import { upcomingCharges, type UpcomingCycle } from '../../domain/subscriptions/upcoming-charges';
import type {
  BillingCycleRepository,
  ListedCycle,
} from '../../persistence/subscriptions/billing-cycle-repository';
import type {
  SubscriptionRecord,
  SubscriptionRepository,
} from '../../persistence/subscriptions/subscription-repository';
import { UNKNOWN_PLAN } from './subscription-request';

export interface SubscriptionQuery {
  readonly status?: SubscriptionStatus | undefined;
  readonly plan_id?: string | undefined;
  readonly customer?: string | undefined;
  readonly charge_on_hold?: boolean | undefined;
}

/** Reads a company's subscriptions. Those of other companies are not found. */
export class Subscriptions {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly cycles: BillingCycleRepository,
  ) {}

  /** @throws ApiError `not_found` */
  async get(companyId: number, id: string): Promise<SubscriptionRecord> {
    const uuid = parseSubscriptionId(id);
    const record = uuid && (await this.subscriptions.find(companyId, uuid));
    if (record === null) throw notFound();
    return record;
  }

  /** @throws ApiError `validation_error` on `plan_id` */
  async list(
    companyId: number,
    { status, plan_id, customer, charge_on_hold: isChargeOnHold }: SubscriptionQuery,
    page: PageRequest,
  ): Promise<Page<SubscriptionRecord>> {
    const planId = plan_id === undefined ? undefined : parsePlanId(plan_id);
    if (planId === null) throw validationError({ plan_id: [UNKNOWN_PLAN] });
    const filter = { status, planId, customerToken: customer, isChargeOnHold };
    return this.subscriptions.list(companyId, filter, page);
  }

  /** @throws ApiError `not_found` */
  async cyclesOf(companyId: number, id: string, page: PageRequest): Promise<Page<ListedCycle>> {
    const { row } = await this.get(companyId, id);
    return this.cycles.list(row.id, page);
  }

  /** The next `count` charges. @throws ApiError `not_found` */
  async upcoming(companyId: number, id: string, count: number): Promise<UpcomingCycle[]> {
    return upcomingCharges((await this.get(companyId, id)).state, count);
  }
}
