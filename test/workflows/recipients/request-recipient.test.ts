import { randomUUID } from 'node:crypto';
import type { RecipientDeps } from '../../../activities/recipients/recipient-deps';
import { createRecipientActivities } from '../../../activities/recipients/recipients';
import { MockActivityEnvironment } from '@temporalio/testing';
import { newSubAccountId, type SubAccountId } from '../../../src/domain/shared/ids';
import type { SealedValue } from '../../../src/domain/shared/sealed-value';
import type { Recipient } from '../../../src/gateways/gateway';
import { GatewayRegistry } from '../../../src/gateways/registry';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { encryptionContext } from '../../../src/security/encryption-context';
import type { RecipientStep } from '../../../workflows/messages';
import { individual } from '../../unit/domain/subaccount-fixtures';
import { startEngine, type Engine } from '../../support/stack/engine';
import { waitFor } from '../../support/stack/wait-for';
import { sameGateways } from '../../support/same-gateways';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

async function newSubAccount(document = '52998224725'): Promise<SubAccountId> {
  const { companies, envelope, subAccounts } = engine.context;
  const name = randomUUID();
  const company = await companies.insert({ mode: 'test', name, clientId: name, apiKeyHash: name });
  const id = newSubAccountId();
  const information = JSON.stringify(individual({ document }));
  await subAccounts.insertOrRestart({
    id,
    companyId: company.id,
    gatewaySlug: 'gateway_1',
    informationHash: id,
    sealedInformation: await envelope.seal(information, encryptionContext.subAccount(company.id, id)),
    name,
    documentMasked: '***',
  });
  return id;
}

function advance(subAccountId: SubAccountId, deps: RecipientDeps = engine.deps): Promise<RecipientStep> {
  const { advanceRecipient } = createRecipientActivities(deps);
  return new MockActivityEnvironment().run(advanceRecipient, { subAccountId });
}

async function advanceUntil(id: SubAccountId, status: string): Promise<void> {
  await waitFor(async () => (await advance(id)).status === status, { what: status });
}

const at = (ms: number): RecipientDeps => ({ ...engine.deps, now: () => new Date(Date.now() + ms) });

/** The number of requests for this recipient that the gateway received. */
async function requestsOf(id: SubAccountId): Promise<number> {
  const requests = await engine.simulator.requests(id);
  return requests.filter(({ operation }) => operation === 'recipient').length;
}

/** When the sweeper recovers it; null if never. */
async function recoverAfterOf(id: SubAccountId): Promise<Date | null | undefined> {
  const row = await engine.context.db.queryOne<{ recoverAfter: Date | null }>(
    'SELECT recover_after AS "recoverAfter" FROM sub_accounts WHERE id = $1',
    [id],
  );
  return row?.recoverAfter;
}

const script = (id: SubAccountId, behavior: Parameters<Engine['simulator']['script']>[1]) =>
  engine.simulator.script({ transaction_id: id, operation: 'recipient' }, behavior);

describe('advanceRecipient', () => {
  it('it creates a recipient with one request, and then has no next step', async () => {
    const id = await newSubAccount();
    expect(await advance(id)).toEqual({ status: 'active', message: null, pauseMs: null });
    expect(await advance(id)).toMatchObject({ status: 'active', pauseMs: null });
    expect(await requestsOf(id)).toBe(1);
    expect(await engine.context.subAccounts.get(id)).toMatchObject({
      recipientId: expect.stringMatching(/^re_/),
    });
  });

  it('concurrent steps send one request', async () => {
    const id = await newSubAccount();
    await Promise.all(Array.from({ length: 8 }, () => advance(id)));
    await advanceUntil(id, 'active');
    expect(await requestsOf(id)).toBe(1);
  });

  it('it polls a pending recipient until the gateway accepts it', async () => {
    const id = await newSubAccount('52998224700');
    expect(await advance(id)).toEqual({
      status: 'pending',
      message: 'documents are being checked',
      pauseMs: 500,
    });
    expect(await advance(id)).toMatchObject({ status: 'pending', pauseMs: 750 });
    expect(
      await advance(id, { ...engine.deps, registries: sameGateways(acceptingRegistry()) }),
    ).toMatchObject({
      status: 'active',
    });
    expect(await requestsOf(id)).toBe(1);
  });

  it('it polls a pending recipient for 90 days, and again after a repeated request', async () => {
    const { db, subAccounts } = engine.context;
    const id = await newSubAccount('52998224700');
    await advance(id);
    await db.query('UPDATE sub_accounts SET poll_count = 273 WHERE id = $1', [id]);
    expect(await advance(id)).toMatchObject({ status: 'pending', pauseMs: null });
    expect(await recoverAfterOf(id)).toBeNull();

    const { companyId, gatewaySlug, sealedInformation, name } = await subAccounts.get(id);
    const sameInformation = { companyId, gatewaySlug, informationHash: id, sealedInformation, name };
    const again = await subAccounts.insertOrRestart({
      id: newSubAccountId(),
      ...sameInformation,
      documentMasked: '***',
    });
    expect(again.id).toBe(id);
    expect(await recoverAfterOf(id)).not.toBeNull();
    expect(await advance(id)).toMatchObject({ status: 'pending', pauseMs: 500 });
    expect(await requestsOf(id)).toBe(1);
  });

  it('it records a rejection with its reason', async () => {
    const id = await newSubAccount('52998224799');
    expect(await advance(id)).toEqual({
      status: 'refused',
      message: 'the document was refused',
      pauseMs: null,
    });
  });

  it.each([
    ['the answer is lost', { drop: 'after' }],
    ['the answer is truncated', { truncate: true }],
    ['the answer is a page of HTML', { html: 502 }],
    ['the answer is a page of HTML with status 422', { html: 422 }],
    ['the answer is foreign JSON with status 401', { html: 401, body: 'json' }],
    ['the answer has status 429 and no body', { html: 429, body: 'empty' }],
    ['no answer comes', { hang: 'after' }],
  ] as const)('it finds the recipient and sends no second request when %s', async (_, behavior) => {
    const id = await newSubAccount();
    await script(id, behavior);
    expect(await advance(id)).toMatchObject({ status: 'unknown' });
    await advanceUntil(id, 'active');
    expect(await requestsOf(id)).toBe(1);
  });

  it('it sends again only when the first request certainly had no effect', async () => {
    const id = await newSubAccount();
    await script(id, { drop: 'before' });
    expect(await advance(id)).toMatchObject({ status: 'unknown' });
    expect(await advance(id)).toMatchObject({ status: 'unknown' });
    expect(await requestsOf(id)).toBe(1);
    const { absenceProvenAfterMs } = engine.deps.settings;
    expect(await advance(id, at(absenceProvenAfterMs + 1_000))).toMatchObject({ status: 'requested' });
    expect(await advance(id)).toMatchObject({ status: 'active' });
    expect(await requestsOf(id)).toBe(2);
  });

  it('it inquires about a request of a crashed process and does not send it again', async () => {
    const id = await newSubAccount();
    await engine.context.subAccounts.claim(id, new Date());
    expect(await advance(id)).toMatchObject({ status: 'unknown' });
    expect(await requestsOf(id)).toBe(0);
  });

  it('it retries when the gateway is unreachable', async () => {
    const id = await newSubAccount();
    const registry = new GatewayRegistry({
      drivers: new Map([['gateway_1', new SimulatorDriver()]]),
      endpoints: new Map([['gateway_1', { api: 'http://127.0.0.1:1' }]]),
      inactive: new Set(),
      platformCompanies: new Set(),
      platformSecret: 'sk_platform',
      webhookSecrets: new Map(),
    });
    expect(await advance(id, { ...engine.deps, registries: sameGateways(registry) })).toEqual({
      status: 'requested',
      message: null,
      pauseMs: 500,
    });
    expect(await advance(id)).toMatchObject({ status: 'active' });
  });

  it('one that needs its owner’s consent shows where, stays pending, and is active after the consent', async () => {
    const id = await newSubAccount();
    await script(id, { needs_consent: true });
    expect(await advance(id)).toMatchObject({ status: 'pending' });
    const { recipientId, consentUrl } = await engine.context.subAccounts.get(id);
    expect(consentUrl).toMatch(new RegExp(`/consent/${recipientId}$`));
    await advance(id);
    expect(await engine.context.subAccounts.get(id)).toMatchObject({ status: 'pending', consentUrl });
    await engine.simulator.decideRecipient(recipientId ?? '', 'active');
    await advanceUntil(id, 'active');
    expect(await engine.context.subAccounts.get(id)).toMatchObject({ recipientId, consentUrl: null });
  });

  it('what the gateway gives for a recipient once is stored sealed, whoever records the recipient first', async () => {
    const { db, envelope, subAccounts } = engine.context;
    const id = await newSubAccount();
    const driver = new SimulatorDriver();
    const overtaken: GatewayRegistry = Object.create(engine.deps.registries.of(1), {
      driver: {
        value: () =>
          Object.assign(Object.create(driver) as SimulatorDriver, {
            createRecipient: async (...args: Parameters<SimulatorDriver['createRecipient']>) => {
              const made = await driver.createRecipient(...args);
              await subAccounts.recordAnswer(id, { ...made, status: 'active' });
              return made;
            },
          }),
      },
    }) as GatewayRegistry;
    await advance(id, { ...engine.deps, registries: sameGateways(overtaken) });
    const [row] = await db.query<{ secret: SealedValue; companyId: number; text: string }>(
      'SELECT sealed_secret AS secret, company_id AS "companyId", row_to_json(s)::text AS text FROM sub_accounts s WHERE id = $1',
      [id],
    );
    const { recipientId } = await subAccounts.get(id);
    expect(row?.text).not.toContain('sk_of_');
    const context = encryptionContext.recipientSecret(row?.companyId ?? 0, id);
    expect(row && (await envelope.open(row.secret, context))).toBe(`sk_of_${recipientId}`);
  });

  it('an inquiry gets what is stored about the recipient: its id, its creation, its information, and what the gateway gave once', async () => {
    const asked: unknown[] = [];
    const driver = Object.assign(new SimulatorDriver(), {
      findRecipient: (_ctx: unknown, ...known: readonly unknown[]) => {
        asked.push(known);
        return Promise.resolve(null);
      },
    });
    const listening = Object.create(engine.deps.registries.of(1), {
      driver: { value: () => driver },
    }) as GatewayRegistry;
    const id = await newSubAccount();
    await script(id, { needs_consent: true });
    await advance(id);
    await advance(id, { ...engine.deps, registries: sameGateways(listening) });
    const information = expect.objectContaining({
      email: 'maria@example.com',
      document: '52998224725',
    }) as unknown;
    const secret = expect.stringMatching(/^sk_of_/) as unknown;
    const stored = await engine.context.subAccounts.get(id);
    const { recipientId, sentAt } = stored;
    expect([recipientId, sentAt]).not.toContain(null);
    expect(asked).toEqual([[id, { recipientId, sentAt, information, secret }]]);
  });

  it('a late result of a slow process changes nothing', async () => {
    const { subAccounts } = engine.context;
    const id = await newSubAccount();
    const [late, next] = [new Date('2026-06-15T12:00:00Z'), new Date('2026-06-15T12:01:00Z')];
    expect(await subAccounts.claim(id, late)).toBe(true);
    expect(await subAccounts.release(id, late)).toBe(true);
    expect(await subAccounts.claim(id, next)).toBe(true);
    expect(await subAccounts.release(id, late)).toBe(false);
    await subAccounts.recordAnswer(id, { status: 'active', recipientId: `re_${id}`, message: null });
    expect(
      await subAccounts.recordAnswer(id, { status: 'refused', recipientId: null, message: 'late' }),
    ).toBe(false);
    expect(await subAccounts.get(id)).toMatchObject({ status: 'active', recipientId: `re_${id}` });
  });
});

it('the sweeper starts the workflow of a recipient after a crash', async () => {
  const id = await newSubAccount();
  await engine.context.db.query(
    `UPDATE sub_accounts SET recover_after = now() - interval '1 second' WHERE id = $1`,
    [id],
  );
  await engine.sweeper.sweepOnce();
  await waitFor(async () => (await engine.context.subAccounts.get(id)).status === 'active');
  expect(await requestsOf(id)).toBe(1);
  await engine.sweeper.sweepOnce();
  expect(await recoverAfterOf(id)).toBeNull();
});

/** A gateway that has accepted all recipients. */
function acceptingRegistry(): GatewayRegistry {
  class AcceptingDriver extends SimulatorDriver {
    override async findRecipient(
      ...args: Parameters<SimulatorDriver['findRecipient']>
    ): Promise<Recipient | null> {
      const found = await super.findRecipient(...args);
      return found && { ...found, status: 'active', message: null };
    }
  }
  return new GatewayRegistry({
    drivers: new Map([['gateway_1', new AcceptingDriver()]]),
    ...engine.config.gateways,
  });
}
