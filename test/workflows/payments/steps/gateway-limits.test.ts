import { MockActivityEnvironment } from '@temporalio/testing';
import { createPaymentActivities } from '../../../../activities/payments/payments';
import type { AuthenticatedCompany } from '../../../../src/domain/companies/company';
import type { Capabilities } from '../../../../src/domain/routing/routing';
import type { GatewaySlug } from '../../../../src/domain/shared/gateway-slug';
import { GatewayStates } from '../../../../src/persistence/read-models/gateway-states';
import { newCompany } from '../../../support/fixtures/payments';
import { claimNext } from '../../../support/scenarios/interleaving';
import { idlePurchase, type PurchaseKind } from '../../../support/scenarios/purchase';
import { startEngine, type Engine } from '../../../support/stack/engine';
import { SteppedPayment } from './stepped-payment';
import { sameGateways } from '../../../support/same-gateways';
import type { GatewayRegistry } from '../../../../src/gateways/registry';

/* What gateways cannot do, and how routing learns and follows it. */

type Deps = Engine['deps'];

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({}, { workers: 'none' });
});
afterAll(() => engine.stop());

/** Dependencies in which gateway_1 has other capabilities. */
function withCapabilities(change: Partial<Capabilities>): Deps {
  const { deps } = engine;
  const capabilities = (slug: GatewaySlug): Capabilities => ({
    ...deps.registries.of(1).capabilities(slug),
    ...(slug === 'gateway_1' && change),
  });
  const registry = Object.create(deps.registries.of(1), {
    capabilities: { value: capabilities },
  }) as GatewayRegistry;
  return { ...deps, registries: sameGateways(registry) };
}

describe('a pix at a gateway where each expires after two hours', () => {
  const TWO_HOURS_S = 7_200;
  const deps = () => withCapabilities({ pixExpiry: { kind: 'fixed', seconds: TWO_HOURS_S } });
  const newPix = (change: object) => SteppedPayment.create(engine, 'pix', ['gateway_1', 'gateway_4'], change);

  it('that asks for another expiry goes to the next gateway', async () => {
    const payment = await newPix({ pix_expires_in: 3_600 });
    const { attemptId } = await payment.next(deps());
    expect(await payment.attempt(attemptId)).toMatchObject({ gatewaySlug: 'gateway_4' });
  });

  it('that asks for none gets the two hours, and not the company’s default', async () => {
    const payment = await newPix({ pix_expires_in: null });
    const worker = await payment.next(deps());
    expect(await payment.attempt(worker.attemptId)).toMatchObject({ gatewaySlug: 'gateway_1' });
    const sentAt = Date.now();
    await worker.record(await worker.send());
    const { expiresAt } = await payment.row();
    expect(Math.round((+(expiresAt ?? 0) - sentAt) / 60_000)).toBe(TWO_HOURS_S / 60);
  });
});

describe('a gateway account that lacks pix', () => {
  const GATEWAYS: readonly GatewaySlug[] = ['gateway_1', 'gateway_4'];

  async function limitsOf(company: AuthenticatedCompany) {
    const states = await new GatewayStates(engine.context.db).load(company.id, new Date());
    return states.flatMap(({ slug, learnedLimits }) =>
      learnedLimits.map(({ since: _, ...limit }) => ({ slug, ...limit })),
    );
  }

  /** Charges a pix at gateway_1, which answers that the account has no pix. */
  async function learn(company: AuthenticatedCompany): Promise<void> {
    const { body } = await idlePurchase(engine, company, 'pix');
    const { transaction_id: transactionId } = body;
    await engine.simulator.script({ transaction_id: transactionId, gateway: 'gateway_1' }, { lacks: 'pix' });
    await charge(company, transactionId);
  }

  async function charge(company: AuthenticatedCompany, transactionId: string): Promise<void> {
    const { attemptPayment } = createPaymentActivities(engine.deps);
    await new MockActivityEnvironment().run(attemptPayment, { companyId: company.id, transactionId });
  }

  /** The answer that it has no pix, to a charge that was sent so many milliseconds ago. */
  function learnOf(company: AuthenticatedCompany, sentAgoMs: number): Promise<void> {
    const sent = { companyId: company.id, slug: 'gateway_1', secretId: null } as const;
    const sentAt = new Date(Date.now() - sentAgoMs);
    return engine.context.gatewayLimits.learn({ ...sent, feature: 'pix', message: 'no', sentAt });
  }

  /** What an account lacks is about credentials that were saved before the charge. */
  const saveLongAgo = ({ id }: AuthenticatedCompany) =>
    engine.context.db.query(
      `UPDATE gateway_credentials SET updated_at = updated_at - interval '3 days' WHERE company_id = $1`,
      [id],
    );

  async function firstGateway(company: AuthenticatedCompany, kind: PurchaseKind = 'pix') {
    const { attemptId } = await claimNext(engine, await idlePurchase(engine, company, kind));
    return (await engine.context.attempts.find(attemptId))?.gatewaySlug;
  }

  /** The same secret of the same account. */
  async function saveAgain({ id: companyId }: AuthenticatedCompany): Promise<void> {
    const { credentials, db } = engine.context;
    const [stored] = await credentials.list(companyId);
    if (stored === undefined) throw new Error('the company has no credentials');
    const { gatewaySlug: slug, ...values } = stored;
    await db.inTransaction((tx) => credentials.upsert(tx, { ...values, companyId, slug }));
  }

  const LIMIT = { slug: 'gateway_1', feature: 'pix', message: 'pix is not enabled for this account' };

  it('is passed over for pix and nothing else, for this company alone, and the refusal says why', async () => {
    const [company, other] = [await newCompany(engine, GATEWAYS), await newCompany(engine, GATEWAYS)];
    await learn(company);
    expect(await firstGateway(company)).toBe('gateway_4');
    expect(await firstGateway(company, 'sale')).toBe('gateway_1');
    expect(await firstGateway(other)).toBe('gateway_1');
    expect([await limitsOf(company), await limitsOf(other)]).toEqual([[LIMIT], []]);
    await engine.context.db.query(
      `UPDATE gateway_credentials SET enabled = false WHERE company_id = $1 AND gateway_slug = 'gateway_4'`,
      [company.id],
    );
    await expect(idlePurchase(engine, company, 'pix')).rejects.toMatchObject({
      message: 'No enabled gateway supports this payment: gateway_1 answered that the account has no pix.',
    });
  });

  it('is asked again after a day, and at once after the credentials are saved again', async () => {
    const company = await newCompany(engine, GATEWAYS);
    const change = (interval: string) =>
      engine.context.db.query(
        `UPDATE gateway_learned_limits SET since = since - $2::interval WHERE company_id = $1`,
        [company.id, interval],
      );
    await learn(company);
    await change('23 hours 59 minutes');
    expect(await firstGateway(company)).toBe('gateway_4');
    await change('1 minute');
    expect(await limitsOf(company)).toEqual([]);
    // It learns the same again.
    await learn(company);
    expect(await limitsOf(company)).toEqual([LIMIT]);
    expect(await firstGateway(company)).toBe('gateway_4');
    await saveAgain(company);
    expect(await limitsOf(company)).toEqual([]);
    expect(await firstGateway(company)).toBe('gateway_1');
  });

  it('does not learn from an answer to a charge that was sent before the credentials were saved', async () => {
    const company = await newCompany(engine, GATEWAYS);
    await learnOf(company, 60_000);
    expect(await limitsOf(company)).toEqual([]);
    await learnOf(company, -60_000);
    expect(await limitsOf(company)).toEqual([{ ...LIMIT, message: 'no' }]);
  });

  it('is asked again a day after the charge was sent whose answer said so, however late the answer came', async () => {
    const company = await newCompany(engine, GATEWAYS);
    await saveLongAgo(company);
    await learnOf(company, 24 * 3_600_000 + 1);
    expect(await limitsOf(company)).toEqual([]);
    await learnOf(company, 24 * 3_600_000 - 60_000);
    expect(await limitsOf(company)).toMatchObject([{ slug: 'gateway_1' }]);
  });

  it('does not lack what it accepted a later charge of, whatever the answer to an earlier one says', async () => {
    const company = await newCompany(engine, GATEWAYS);
    await saveLongAgo(company);
    const charged = async (kind: PurchaseKind) =>
      charge(company, (await idlePurchase(engine, company, kind)).body.transaction_id);
    await charged('pix');
    await learnOf(company, 60_000);
    expect(await limitsOf(company)).toEqual([]);
    await learnOf(company, -60_000);
    expect(await limitsOf(company)).toMatchObject([{ feature: 'pix' }]);
  });
});
