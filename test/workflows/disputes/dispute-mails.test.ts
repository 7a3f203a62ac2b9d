import { NotifyDisputes } from '../../../src/application/disputes/notify-disputes';
import { UserRepository } from '../../../src/persistence/companies/user-repository';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser, type CompanyWithUser } from '../../api/support/manual-resolution';
import { mailsTo } from '../../api/support/outbox';
import { sale } from '../../api/support/payment-scenario';
import { waitFor } from '../../support/stack/wait-for';
import { disputeEvents, ReportedDispute, untilDispute } from './dispute-scenario';

const HOUR_MS = 3_600_000;

let api: EngineApi;
let company: CompanyWithUser;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
beforeEach(async () => {
  company = await registerCompanyWithUser(api);
});
afterAll(() => api.stop());

/** Another user of the company, who reads Portuguese. */
async function addUser(role: 'admin' | 'support'): Promise<string> {
  const email = `${role}-${company.companyId}@example.com`;
  await api.engine.context.db.query(
    `INSERT INTO users (company_id, name, email, password_hash, role, language) VALUES ($1, 'Ana', $2, '', $3, 'pt')`,
    [company.companyId, email, role],
  );
  return email;
}

function inHours(hours: number): string {
  return new Date(Date.now() + hours * HOUR_MS).toISOString();
}

async function reportOpened(evidence_due_at: string | null) {
  const payment = await sale(company.byKey, { amount: 5_000 });
  const dispute = new ReportedDispute(api, payment);
  await dispute.report({ status: 'opened', amount: 3_000, after: 0, evidence_due_at });
  const { id } = await untilDispute(company.byToken, payment, 'opened');
  return { payment, dispute, id };
}

/** Sends what is due, as a worker does whose clock shows this instant. */
function notifyAt(at = new Date()): Promise<number> {
  const { context, config } = api.engine;
  const users = new UserRepository(context.db);
  const { publicBaseUrl } = config;
  return new NotifyDisputes({ ...context, users, publicBaseUrl, now: () => at }).execute(50);
}

const subjects = async (email: string): Promise<string[]> =>
  (await mailsTo(api, email)).map(({ subject }) => subject).filter((subject) => !/verif/i.test(subject));

describe('the owners and admins of a company', () => {
  it('are told once by mail that a dispute was opened, and once that its evidence is due, in their language', async () => {
    const [admin, support] = [await addUser('admin'), await addUser('support')];
    const { dispute, payment, id } = await reportOpened(inHours(7 * 24));
    await api.engine.sweeper.sweepOnce();
    await Promise.all([notifyAt(), notifyAt()]);
    await notifyAt(new Date(Date.now() + HOUR_MS));
    expect(await subjects(company.user.email)).toEqual(['A payment of R$30.00 is disputed']);
    const [mail] = await mailsTo(api, admin);
    expect(mail?.subject).toBe('Um pagamento foi contestado: R$ 30,00');
    expect(mail?.text).toContain(`O pagamento ${payment.transaction_id} tem um chargeback de R$ 30,00.`);
    expect(mail?.text).toContain(`${api.engine.config.publicBaseUrl}/dashboard/disputes/${id}`);
    const due = inHours(1);
    await dispute.report({ status: 'opened', amount: 3_000, after: 5, evidence_due_at: due });
    await waitFor(async () => (await disputeEvents(api, id)).includes('evidence_due'));
    for (const hours of [0, 1, 2]) await notifyAt(new Date(Date.now() + hours * HOUR_MS));
    const shown = `${due.slice(0, 16).replace('T', ' ')} UTC`;
    expect(await subjects(company.user.email)).toEqual([
      `Evidence is due by ${shown}`,
      'A payment of R$30.00 is disputed',
    ]);
    expect((await subjects(admin))[0]).toBe(`O prazo para enviar provas é ${shown}`);
    expect(await subjects(support)).toEqual([]);
  });

  it('are told later if the mail server failed, because the mail is due until it was sent', async () => {
    await reportOpened(null);
    const failing = jest
      .spyOn(api.engine.context.mailer, 'send')
      .mockRejectedValueOnce(new Error('no mail server'));
    await expect(notifyAt()).rejects.toThrow('no mail server');
    failing.mockRestore();
    expect(await subjects(company.user.email)).toEqual([]);
    await notifyAt(new Date(Date.now() + HOUR_MS));
    expect(await subjects(company.user.email)).toEqual(['A payment of R$30.00 is disputed']);
  });

  it('are told nothing of a dispute that is decided before the mail is sent', async () => {
    const { dispute, payment } = await reportOpened(null);
    await dispute.report({ status: 'lost', amount: 3_000, after: 5 });
    await untilDispute(company.byToken, payment, 'lost');
    expect(await notifyAt()).toBe(0);
    expect(await subjects(company.user.email)).toEqual([]);
  });
});
