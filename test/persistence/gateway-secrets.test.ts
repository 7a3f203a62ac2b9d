import { randomUUID } from 'node:crypto';
import { NotifyRejectedCredentials } from '../../src/application/companies/notify-rejected-credentials';
import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { AuthenticatedCompany } from '../../src/domain/companies/company';
import type { Mail } from '../../src/domain/companies/mail';
import { newCardVerificationId, type GatewaySecretId } from '../../src/domain/shared/ids';
import type { GatewaySecretRow } from '../../src/persistence/gateways/gateway-secret-repository';
import {
  CardVerificationRepository,
  type NewCardVerification,
} from '../../src/persistence/customers/card-verification-repository';
import { UserRepository } from '../../src/persistence/companies/user-repository';
import { sentPayment } from '../api/callbacks/callback-api';
import { addGateway, newCompany } from '../support/fixtures/payments';
import { createTestDatabase, testConfig } from '../support/stack/test-config';

const config = testConfig();
let context: AppContext;
beforeAll(async () => {
  // A database of its own: the erasure is about the secrets of all companies.
  context = createAppContext(testConfig({}, await createTestDatabase()));
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

const A_DAY_LATER = () => new Date(Date.now() + 24 * 3_600_000 + 60_000);

interface Replaced {
  readonly company: AuthenticatedCompany;
  readonly old: GatewaySecretId;
  readonly current: GatewaySecretId;
}

const secretsOf = ({ id: companyId }: AuthenticatedCompany): Promise<GatewaySecretRow[]> =>
  context.gatewaySecrets.list({ companyId, slug: 'gateway_1' });

/** A company that has replaced the secret of its charges. `seen`: the gateway showed one of them with the new secret. */
async function replaced({ seen = true, used = true } = {}): Promise<Replaced> {
  const company = await newCompany({ config, context });
  const [old] = await secretsOf(company);
  await addGateway({ context }, company, 'gateway_1', 1, 'sk_new');
  const current = (await secretsOf(company)).find(({ isCurrent }) => isCurrent);
  if (old === undefined || current === undefined) throw new Error('the secrets were not saved');
  const gateway = { companyId: company.id, slug: 'gateway_1' } as const;
  await context.db.inTransaction(async (tx) => {
    if (used) await context.gatewaySecrets.markUsed(tx, old.id, new Date());
    const change = { kind: 'merge', from: current.accountId, into: old.accountId } as const;
    if (seen) await context.gatewaySecrets.changeAccounts(tx, gateway, change);
    else await context.gatewaySecrets.scheduleErasure(tx, gateway);
  });
  return { company, old: old.id, current: current.id };
}

/** The secrets that are erased by then. */
async function erasedAfter({ company }: Replaced, at = A_DAY_LATER()): Promise<GatewaySecretId[]> {
  await context.gatewaySecrets.eraseUnneeded(100, at);
  const secrets = await secretsOf(company);
  return secrets.filter(({ sealedValues }) => sealedValues === null).map(({ id }) => id);
}

describe('a replaced gateway secret', () => {
  it('is erased a day after the gateway showed its charges with the new secret, and not before', async () => {
    const saved = await replaced();
    expect(await erasedAfter(saved, new Date())).toEqual([]);
    expect(await erasedAfter(saved)).toEqual([saved.old]);
  });

  it('is kept while only its own account has the charges', async () => {
    expect(await erasedAfter(await replaced({ seen: false }))).toEqual([]);
  });

  it('is deleted if no charge was ever made with it, even if a card was verified with it', async () => {
    const saved = await replaced({ seen: false, used: false });
    const verification: NewCardVerification = {
      id: newCardVerificationId(),
      companyId: saved.company.id,
      gatewaySlug: 'gateway_1',
      secretId: saved.old,
      identity: 'a card',
      reason: 'first_saved',
      sentAt: new Date(),
    };
    const verifications = new CardVerificationRepository(context.db);
    await context.db.inTransaction((tx) => verifications.insert(tx, verification));
    expect(await erasedAfter(saved)).toEqual([]);
    expect((await secretsOf(saved.company)).map(({ id }) => id)).toEqual([saved.current]);
  });

  it('is found with its charge however many secrets were saved since', async () => {
    const saved = await replaced({ seen: false, used: false });
    const { company } = saved;
    for (let n = 0; n < 101; n += 1) await addGateway({ context }, company, 'gateway_1', 1, `sk_${n}`);
    const gateway = { companyId: company.id, slug: 'gateway_1' } as const;
    const listed = await context.gatewaySecrets.list(gateway, { id: saved.old });
    expect(listed).toHaveLength(100);
    expect(listed[0]?.isCurrent).toBe(true);
    expect(listed[1]?.id).toBe(saved.old);
  });

  it('is kept if the gateway rejects the new secret meanwhile', async () => {
    const saved = await replaced();
    await context.gatewaySecrets.markRejected(saved.current, new Date());
    expect(await erasedAfter(saved)).toEqual([]);
  });

  it('is kept while the outcome of an attempt with it is unknown: only it may repeat the request', async () => {
    const saved = await replaced();
    const { payment } = await sentPayment({ context }, saved.company);
    await context.db.query('UPDATE gateway_attempts SET secret_id = $2 WHERE payment_id = $1', [
      payment.id,
      saved.old,
    ]);
    expect(await erasedAfter(saved)).toEqual([]);
    await context.db.query(`UPDATE gateway_attempts SET status = 'abandoned' WHERE payment_id = $1`, [
      payment.id,
    ]);
    expect(await erasedAfter(saved, A_DAY_LATER())).toEqual([]);
    const postponed = new Date(A_DAY_LATER().getTime() + 3_600_000);
    expect(await erasedAfter(saved, postponed)).toEqual([saved.old]);
  });

  it('is kept if the company returns to it, also if that happens just before it would be erased', async () => {
    const saved = await replaced();
    await addGateway({ context }, saved.company, 'gateway_1', 1);
    expect(await erasedAfter(saved)).toEqual([]);
    const [current] = (await secretsOf(saved.company)).filter(({ isCurrent }) => isCurrent);
    expect(current?.id).toBe(saved.old);
  });

  it('never leaves the company without the secret of new charges', async () => {
    const saved = await replaced();
    await context.db.query('UPDATE gateway_secrets SET erase_after = now() WHERE company_id = $1', [
      saved.company.id,
    ]);
    expect(await erasedAfter(saved)).toEqual([saved.old]);
    const [gateway] = await context.gateways.listRoutableGateways(saved.company.id, []);
    expect(gateway?.secret?.id).toBe(saved.current);
  });
});

describe('a gateway secret that the gateway rejects', () => {
  const HOUR_MS = 3_600_000;

  async function rejected() {
    const company = await newCompany({ config, context });
    const [secret] = await secretsOf(company);
    if (secret === undefined) throw new Error('the secret was not saved');
    const users = new UserRepository(context.db);
    const email = `${randomUUID()}@example.com`;
    const user = {
      companyId: company.id,
      name: 'Ana',
      email,
      passwordHash: 'none',
      role: 'owner',
      language: 'pt',
    } as const;
    await context.db.inTransaction((tx) => users.insert(tx, user));
    const sent: Mail[] = [];
    let isDown = false;
    const mailer = {
      send: async (mail: Mail) => {
        if (isDown) throw new Error('no mail server');
        sent.push(mail);
      },
    };
    const notifyAt = (at: Date) =>
      new NotifyRejectedCredentials({ ...context, users, mailer, now: () => at }).execute(50);
    return {
      secret,
      email,
      notifyAt,
      sent: () => sent.filter(({ to }) => to === email),
      setDown: (down: boolean) => (isDown = down),
    };
  }

  it('is told to the users of its company by mail in their language, and again only after a day in which it was rejected', async () => {
    const { secret, email, notifyAt, sent } = await rejected();
    const at = new Date();
    await notifyAt(at);
    expect(sent()).toEqual([]);
    for (const hours of [0, 1, 23, 25, 26]) {
      const now = new Date(+at + hours * HOUR_MS);
      await context.gatewaySecrets.markRejected(secret.id, now);
      await notifyAt(now);
      await notifyAt(now);
      expect(sent()).toHaveLength(hours < 24 ? 1 : 2);
    }
    expect(sent()[0]).toMatchObject({ to: email, subject: 'gateway_1 recusa suas credenciais' });
  });

  it('is told once the mail server works, unless the gateway accepts the secret by then', async () => {
    const [one, other] = [await rejected(), await rejected()];
    const at = new Date();
    for (const { secret, setDown, notifyAt } of [one, other]) {
      setDown(true);
      await context.gatewaySecrets.markRejected(secret.id, at);
      await expect(notifyAt(at)).rejects.toThrow('no mail server');
      setDown(false);
    }
    await context.gatewaySecrets.markAccepted(other.secret.id, at);
    const later = new Date(+at + HOUR_MS / 4);
    for (const { notifyAt } of [one, other]) await notifyAt(later);
    expect([one.sent().length, other.sent().length]).toEqual([1, 0]);
  });
});
