import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { AuthenticatedCompany } from '../../src/domain/companies/company';
import type { CardAtGateway } from '../../src/persistence/gateways/gateway-card-token-repository';
import { addGateway, newCompany } from '../support/fixtures/payments';
import { testConfig } from '../support/stack/test-config';

const SLUG = 'gateway_1';
const config = testConfig();
let context: AppContext;
beforeAll(() => {
  context = createAppContext(config);
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

interface Kept {
  readonly company: AuthenticatedCompany;
  readonly card: CardAtGateway;
  readonly keptAt: Date;
}

const secretsOf = ({ id: companyId }: AuthenticatedCompany) =>
  context.gatewaySecrets.list({ companyId, slug: SLUG });

/** A company whose account at the gateway has given a token for a card. */
async function kept(): Promise<Kept> {
  const company = await newCompany({ config, context });
  const [secret] = await secretsOf(company);
  if (secret === undefined) throw new Error('the secret was not saved');
  const { db, vault, envelope } = context;
  const { id: companyId } = company;
  const keptAt = new Date();
  const card = await db.inTransaction(async (tx) => {
    const vaultCardId = await vault.put(tx, { companyId, number: '4111111111111111', cvv: null });
    const routed = { vaultCardId, expireMonth: 12, expireYear: 2035 };
    const at = { companyId, slug: SLUG, card: routed, savedAs: null } as const;
    const sealedToken = await envelope.seal('token', 'test');
    await context.gatewayCardTokens.keep(tx, { ...at, secretId: secret.id, sealedToken }, keptAt);
    return at;
  });
  return { company, card, keptAt };
}

async function isKnown({ id }: AuthenticatedCompany, { card }: CardAtGateway): Promise<boolean> {
  const { gateways } = await context.gateways.findRouting(id, [], undefined, card);
  const [listed] = await context.gateways.listRoutableGateways(id, [], undefined, card);
  expect(listed).toEqual(gateways[0]);
  return gateways[0]?.cardToken !== undefined;
}

describe('the token that a gateway gave for a card', () => {
  it('is found for that card and company, and not for a renewed card or another company', async () => {
    const { company, card } = await kept();
    expect(await isKnown(company, card)).toBe(true);
    expect(await isKnown(company, { ...card, card: { ...card.card, expireYear: 2036 } })).toBe(false);
    expect(await isKnown((await kept()).company, card)).toBe(false);
  });

  it('is found with a new secret of the account, and with no secret of another account', async () => {
    const { company, card } = await kept();
    await addGateway({ context }, company, SLUG, 1, 'sk_of_another_account');
    expect(await isKnown(company, card)).toBe(false);
    const [current, old] = await secretsOf(company);
    if (current === undefined || old === undefined) throw new Error('the secrets were not saved');
    const change = { kind: 'merge', from: current.accountId, into: old.accountId } as const;
    const gateway = { companyId: company.id, slug: SLUG } as const;
    await context.db.inTransaction((tx) => context.gatewaySecrets.changeAccounts(tx, gateway, change));
    expect(await isKnown(company, card)).toBe(true);
  });

  it('is forgotten if a later charge is refused, and kept if it is newer than the refused charge', async () => {
    const { company, card, keptAt } = await kept();
    const forget = (sentAt: Date) =>
      context.db.inTransaction((tx) => context.gatewayCardTokens.forget(tx, card, sentAt));
    await forget(new Date(keptAt.getTime() - 1));
    expect(await isKnown(company, card)).toBe(true);
    await forget(keptAt);
    expect(await isKnown(company, card)).toBe(false);
  });

  it('ends with the number in the vault, and is not kept once that is erased', async () => {
    const { company, card } = await kept();
    const { vaultCardId } = card.card;
    await context.db.query('DELETE FROM vault_cards WHERE id = $1', [vaultCardId]);
    const rows = await context.db.query('SELECT FROM gateway_card_tokens WHERE vault_card_id = $1', [
      vaultCardId,
    ]);
    expect(rows).toEqual([]);
    const sealedToken = await context.envelope.seal('token', 'test');
    const late = { ...card, secretId: null, sealedToken };
    await context.db.inTransaction((tx) => context.gatewayCardTokens.keep(tx, late, new Date()));
    expect(await isKnown(company, card)).toBe(false);
  });
});
