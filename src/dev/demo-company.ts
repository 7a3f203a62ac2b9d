import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../persistence/sql/transaction';
import type { ApiKeys } from '../security/api-keys';
import { hashPassword } from '../security/passwords';
import { writeFileAtomically } from './write-file';

/** The company a sandbox comes with, and its administrator; the same for as long as DATA_DIR stays. */
export interface DemoCompany {
  readonly clientId: string;
  readonly apiKey: string;
  readonly admin: { readonly email: string; readonly password: string };
}

const DEMO_FILE = 'demo-company.json';
/** Six and seven take no company's credentials: they settle through the platform, for companies its settings name. */
const OWN_GATEWAYS = ['gateway_1', 'gateway_2', 'gateway_3', 'gateway_4', 'gateway_5'];

/** Kept on disk before anything is made with it, so that a start that is cut off makes no second company. */
export function readOrMakeDemoCompany(dataDir: string, apiKeys: ApiKeys): DemoCompany {
  const file = join(dataDir, DEMO_FILE);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DemoCompany;
  const clientId = randomUUID();
  const demo: DemoCompany = {
    clientId,
    apiKey: apiKeys.generate(),
    admin: {
      email: `admin-${clientId.slice(0, 8)}@demo.example`,
      password: randomBytes(12).toString('base64url'),
    },
  };
  writeFileAtomically(file, JSON.stringify(demo, null, 2));
  return demo;
}

/** Makes the company and its administrator in this database, unless they are there. */
export async function ensureDemoCompany(db: Database, apiKeys: ApiKeys, demo: DemoCompany): Promise<void> {
  await db.query(
    `INSERT INTO companies (client_id, api_key_hash, name, slug) VALUES ($1, $2, 'Demo company', $3)
     ON CONFLICT (client_id) DO NOTHING`,
    [demo.clientId, apiKeys.hash(demo.apiKey), `demo-${demo.clientId.slice(0, 8)}`],
  );
  const known = await db.queryOne(
    `UPDATE users SET email_verified_at = COALESCE(email_verified_at, now())
      WHERE lower(email) = lower($1) RETURNING id`,
    [demo.admin.email],
  );
  if (known !== null) return;
  // Support staff are those who read the mail of their address, which nobody does here.
  await db.query(
    `INSERT INTO users (company_id, name, email, password_hash, email_verified_at)
     SELECT id, 'Demo admin', $2, $3, now() FROM companies WHERE client_id = $1
     ON CONFLICT DO NOTHING`,
    [demo.clientId, demo.admin.email, await hashPassword(demo.admin.password)],
  );
}

/** Gives the company its gateways over the API, once: what a developer changes afterwards stays. */
export async function ensureDemoGateways(db: Database, apiUrl: string, demo: DemoCompany): Promise<void> {
  const known = await db.queryOne(
    `SELECT 1 FROM gateway_credentials JOIN companies ON companies.id = company_id WHERE companies.client_id = $1`,
    [demo.clientId],
  );
  if (known !== null) return;
  const response = await fetch(`${apiUrl}/company/gateways`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-client-id': demo.clientId, 'x-api-key': demo.apiKey },
    body: JSON.stringify({
      gateways: OWN_GATEWAYS.map((slug) => ({ gateway_slug: slug, secret_key: `sk_sandbox_${slug}` })),
    }),
  });
  if (!response.ok) throw new Error(`the demo company gets no gateways: ${await response.text()}`);
}
