import { dashboardDays } from '../../../src/domain/time/dashboard-period';
import { connectDatabase } from '../../../src/persistence/sql/database';
import { GatewayAttemptRepository } from '../../../src/persistence/payments/gateway-attempt-repository';
import { initModels } from '../../../src/persistence/models';
import { DashboardReader } from '../../../src/persistence/read-models/dashboard';
import { PaymentList } from '../../../src/persistence/read-models/payment-list';
import { Database } from '../../../src/persistence/sql/transaction';
import { WebhookDeliveryRepository } from '../../../src/persistence/webhooks/webhook-delivery-repository';
import { PAGE_SIZE, type Answer, type Question } from './lists-questions';

/** Reads lists and dashboards as the API does, and says how long each took from the question to the rows. */

const TIMEZONE = 'America/Sao_Paulo';

function main(): void {
  const { databaseUrl, companyId } = JSON.parse(process.argv[2] ?? '') as {
    databaseUrl: string;
    companyId: number;
  };
  const sequelize = connectDatabase(databaseUrl, 4);
  initModels(sequelize);
  const db = new Database(sequelize);
  const list = new PaymentList(db, new GatewayAttemptRepository(db), new WebhookDeliveryRepository(db));
  const dashboard = new DashboardReader(db);

  const answer = async (question: Question): Promise<Answer> => {
    if (question.kind === 'dashboard') {
      const from = new Date(Date.now() - (question.days - 1) * 86_400_000).toISOString().slice(0, 10);
      const days = dashboardDays({ from }, TIMEZONE, new Date());
      const startedAt = performance.now();
      const { payments } = await dashboard.load(companyId, days);
      const ms = performance.now() - startedAt;
      return { ms, total: payments.reduce((sum, counted) => sum + counted.payments, 0), ids: [], page: 1 };
    }
    const company = { id: companyId, timezone: TIMEZONE };
    const page = await pageOf(question, () => list.load(company, question.filter, { number: 1, size: 1 }));
    const startedAt = performance.now();
    const { rows, total } = await list.load(company, question.filter, { number: page, size: PAGE_SIZE });
    const ms = performance.now() - startedAt;
    return { ms, total, ids: rows.map(({ payment }) => payment.id), page };
  };
  process.on('disconnect', () => process.exit(0));
  process.on('message', (question: Question) => {
    answer(question).then(
      (answered) => process.send?.(answered),
      (error: unknown) => process.send?.({ failed: String(error) }),
    );
  });
}

const pages = new Map<string, number>();

/** The total is asked for once; then every time is that of the one page. */
async function pageOf(
  question: Question & { readonly kind: 'list' },
  load: () => Promise<{ readonly total: number }>,
): Promise<number> {
  if (question.at === 'first') return 1;
  const key = JSON.stringify(question);
  const known = pages.get(key);
  if (known !== undefined) return known;
  const last = Math.ceil((await load()).total / PAGE_SIZE);
  const page = Math.max(1, question.at === 'last' ? last : Math.floor(last / 2));
  pages.set(key, page);
  return page;
}

main();
