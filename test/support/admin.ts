import type { Actor } from '../../src/domain/actor';
import type { Database } from '../../src/persistence/transaction';

/** A user who administers the company, made when first asked for. Nobody can sign in as them. */
export async function adminOf({ db }: { readonly db: Database }, companyId: number): Promise<Actor> {
  const email = `admin-${companyId}@example.com`;
  await db.query(
    `INSERT INTO users (company_id, name, email, password_hash) VALUES ($1, 'Admin', $2, 'none')
     ON CONFLICT (lower(email)) DO NOTHING`,
    [companyId, email],
  );
  const user = await db.queryOne<{ id: number }>('SELECT id FROM users WHERE email = $1', [email]);
  if (user === null) throw new Error('the user was just made');
  return { companyId, userId: user.id, requestId: `req_of_${user.id}` };
}
