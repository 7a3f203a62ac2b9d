import { createAppContext, type AppContext } from '../../src/composition/app-context';
import type { VaultCardId } from '../../src/domain/shared/ids';
import { CVV_LIFETIME_MS } from '../../src/security/card-vault';
import type { PreparedChange } from '../../src/persistence/sql/prepared-table';
import { insertCompany } from '../support/fixtures/companies';
import { testConfig } from '../support/stack/test-config';

const NUMBER = '4111111111111111';
let context: AppContext;
let companyId: number;

beforeAll(async () => {
  context = createAppContext(testConfig());
  companyId = await insertCompany(context);
});
afterAll(async () => {
  await Promise.all([context.db.close(), context.temporal.connection.close()]);
});

async function make(change: PreparedChange): Promise<void> {
  const values: unknown[] = [];
  await context.db.execute(change(values), values);
}

const put = (cvv: string | null): Promise<VaultCardId> =>
  context.db.inTransaction((tx) => context.vault.put(tx, { companyId, number: NUMBER, cvv }));

it('a card can be read by its own company only', async () => {
  const id = await put('737');
  expect(await context.vault.read(companyId, id)).toEqual({ number: NUMBER, cvv: '737' });
  expect(await context.vault.read(await insertCompany(context), id)).toBeNull();
});

it('erasing the CVV keeps the number', async () => {
  const id = await put('737');
  await make(context.vault.cvvErasure(companyId, id));
  expect(await context.vault.read(companyId, id)).toEqual({ number: NUMBER, cvv: null });
  const [row] = await context.db.query<{ sealed: unknown }>(
    'SELECT sealed_cvv AS sealed FROM vault_cards WHERE id = $1',
    [id],
  );
  expect(row?.sealed).toBeNull();
});

it('an expired CVV is not returned, and the sweep erases it', async () => {
  const id = await put('737');
  await context.db.query(
    `UPDATE vault_cards SET cvv_expires_at = now() - interval '1 second' WHERE id = $1`,
    [id],
  );
  expect(await context.vault.read(companyId, id)).toEqual({ number: NUMBER, cvv: null });
  expect(await context.vault.sweep(1_000)).toBeGreaterThanOrEqual(1);
  const [row] = await context.db.query<{ sealed: unknown }>(
    'SELECT sealed_cvv AS sealed FROM vault_cards WHERE id = $1',
    [id],
  );
  expect(row?.sealed).toBeNull();
});

it('a CVV expires within an hour', async () => {
  const id = await put('737');
  const [row] = await context.db.query<{ at: Date }>(
    'SELECT cvv_expires_at AS at FROM vault_cards WHERE id = $1',
    [id],
  );
  expect(CVV_LIFETIME_MS).toBe(3_600_000);
  expect(row?.at.getTime()).toBeLessThanOrEqual(Date.now() + CVV_LIFETIME_MS);
});

it('a number copied to another row, company or column cannot be decrypted', async () => {
  const [id, other] = [await put('737'), await put('737')];
  await context.db.query(
    'UPDATE vault_cards SET sealed_number = (SELECT sealed_number FROM vault_cards WHERE id = $2) WHERE id = $1',
    [id, other],
  );
  await expect(context.vault.read(companyId, id)).rejects.toThrow();
  await context.db.query('UPDATE vault_cards SET sealed_number = sealed_cvv WHERE id = $1', [other]);
  await expect(context.vault.read(companyId, other)).rejects.toThrow();
  const copied = await put(null);
  const thief = await insertCompany(context);
  await context.db.query('UPDATE vault_cards SET company_id = $2 WHERE id = $1', [copied, thief]);
  await expect(context.vault.read(thief, copied)).rejects.toThrow();
});

it('the fingerprint of a number is the same within a company and differs across companies', async () => {
  const fingerprint = await context.vault.fingerprint(companyId, NUMBER);
  expect(await context.vault.fingerprint(companyId, NUMBER)).toBe(fingerprint);
  expect(await context.vault.fingerprint(companyId + 1, NUMBER)).not.toBe(fingerprint);
  expect(await context.vault.fingerprint(companyId, '5555555555554444')).not.toBe(fingerprint);
});

it('a discarded card can no longer be read', async () => {
  const id = await put('737');
  await make(context.vault.removal(companyId, id));
  expect(await context.vault.read(companyId, id)).toBeNull();
});
