import { dashboardDays, previousPeriod } from '../../../src/domain/time/dashboard-period';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { search } from '../../../src/application/search/search';
import { PaymentLinkRepository } from '../../../src/persistence/checkout/payment-link-repository';
import { CustomerRepository } from '../../../src/persistence/customers/customer-repository';
import { CustomerSearch } from '../../../src/persistence/customers/customer-search';
import { PaymentSearch } from '../../../src/persistence/search/payment-search';
import { BillingCycleRepository } from '../../../src/persistence/subscriptions/billing-cycle-repository';
import { CouponRepository } from '../../../src/persistence/subscriptions/coupon-repository';
import { PlanRepository } from '../../../src/persistence/subscriptions/plan-repository';
import { SubscriptionCommandRepository } from '../../../src/persistence/subscriptions/subscription-command-repository';
import { SubscriptionRepository } from '../../../src/persistence/subscriptions/subscription-repository';
import { benchCustomers } from './customers-seed';
import { PaymentRepository } from '../../../src/persistence/payments/payment-repository';
import { GatewayAttemptRepository } from '../../../src/persistence/payments/gateway-attempt-repository';
import { initModels } from '../../../src/persistence/models';
import { DashboardReader } from '../../../src/persistence/read-models/dashboard';
import { PaymentList } from '../../../src/persistence/read-models/payment-list';
import { Database } from '../../../src/persistence/sql/transaction';
import { WebhookDeliveryRepository } from '../../../src/persistence/webhooks/webhook-delivery-repository';
import { PAGE_SIZE, type ListQueryResult, type ListQuery } from './list-reader';

/** Reads lists and dashboards as the API does, and measures the time from the query to the rows. */

const TIMEZONE = 'America/Sao_Paulo';

function main(): void {
  const { databaseUrl, companyId } = JSON.parse(process.argv[2] ?? '') as {
    databaseUrl: string;
    companyId: number;
  };
  const sequelize = connectDatabase(databaseUrl, 4);
  initModels(sequelize);
  const db = new Database(sequelize);
  // The customers of the payments are erased, so nothing of them is opened.
  const { cipher } = benchCustomers();
  const list = new PaymentList(
    db,
    new PaymentRepository(db, cipher),
    new GatewayAttemptRepository(db),
    new WebhookDeliveryRepository(db, cipher),
  );
  const dashboard = new DashboardReader(db);

  const find = createSearch(db);

  const measure = async (query: ListQuery): Promise<ListQueryResult> => {
    if (query.kind === 'search') {
      const startedAt = performance.now();
      const found = await find(companyId, query.q);
      const ms = performance.now() - startedAt;
      const { customers, payments, subscriptions, links, events } = found;
      const counts = [customers, payments, subscriptions, links, events].map(({ rows }) => rows.length);
      const total = counts.reduce((sum, rows) => sum + rows, 0);
      return { ms, total, ids: payments.rows.map(({ payment }) => payment.id), page: 1 };
    }
    if (query.kind === 'dashboard') {
      const from = new Date(Date.now() - (query.days - 1) * 86_400_000).toISOString().slice(0, 10);
      const days = dashboardDays({ from }, TIMEZONE, new Date());
      const startedAt = performance.now();
      const { payments } = await dashboard.load(companyId, days, previousPeriod(days, TIMEZONE));
      const ms = performance.now() - startedAt;
      return { ms, total: payments.reduce((sum, counted) => sum + counted.payments, 0), ids: [], page: 1 };
    }
    const company = { id: companyId, timezone: TIMEZONE };
    const page = await pageOf(query, () => list.load(company, query.filter, { number: 1, size: 1 }));
    const startedAt = performance.now();
    const { rows, total } = await list.load(company, query.filter, { number: page, size: PAGE_SIZE });
    const ms = performance.now() - startedAt;
    return { ms, total, ids: rows.map(({ payment }) => payment.id), page };
  };
  process.on('disconnect', () => process.exit(0));
  process.on('message', (query: ListQuery) => {
    measure(query).then(
      (result) => process.send?.(result),
      (error: unknown) => process.send?.({ failed: String(error) }),
    );
  });
}

function createSearch(db: Database) {
  const { cipher, hash } = benchCustomers();
  const customers = new CustomerRepository(db, cipher, hash);
  const [plans, coupons] = [new PlanRepository(db), new CouponRepository(db)];
  const [cycles, commands] = [new BillingCycleRepository(db), new SubscriptionCommandRepository(db, cipher)];
  const deps = {
    db,
    customerSearch: new CustomerSearch(db, customers, hash),
    paymentSearch: new PaymentSearch(db, new PaymentRepository(db, cipher)),
    subscriptions: new SubscriptionRepository(db, { plans, coupons, customers, cycles, commands }, cipher),
    links: new PaymentLinkRepository(db, plans),
  };
  return (companyId: number, q: string) => search(deps, companyId, q);
}

const pages = new Map<string, number>();

/** Reads the total once per query, so that the measured time is that of the page alone. */
async function pageOf(
  query: ListQuery & { readonly kind: 'list' },
  load: () => Promise<{ readonly total: number }>,
): Promise<number> {
  if (query.at === 'first') return 1;
  const key = JSON.stringify(query);
  const known = pages.get(key);
  if (known !== undefined) return known;
  const last = Math.ceil((await load()).total / PAGE_SIZE);
  const page = Math.max(1, query.at === 'last' ? last : Math.floor(last / 2));
  pages.set(key, page);
  return page;
}

main();
