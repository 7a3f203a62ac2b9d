import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIAL_GATEWAY_SLUGS, type GatewaySlug } from '../domain/shared/gateway-slug';
import type { DriverName } from '../gateways/driver-names';
import { sandboxAccount } from '../gateways/sandbox-accounts';
import type { Database } from '../persistence/sql/transaction';
import type { ApiKeys } from '../security/api-keys';
import { hashPassword } from '../security/passwords';
import { writeFileAtomically } from './write-file';

/** The sandbox's company and its administrator. They stay the same as long as DATA_DIR exists. */
export interface DemoCompany {
  readonly clientId: string;
  readonly apiKey: string;
  readonly admin: { readonly email: string; readonly password: string };
}

const DEMO_FILE = 'demo-company.json';

/** Writes the credentials to disk before the company is created, so that an interrupted start does not create a second one. */
export function readOrCreateDemoCompany(dataDir: string, apiKeys: ApiKeys): DemoCompany {
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

/** Creates the company and its administrator in this database unless they exist. */
export async function ensureDemoCompany(db: Database, apiKeys: ApiKeys, demo: DemoCompany): Promise<void> {
  await db.query(
    `WITH company AS (
       INSERT INTO companies (client_id, name, slug) VALUES ($1, 'Demo company', $3)
       ON CONFLICT (client_id) DO NOTHING RETURNING id)
     INSERT INTO api_keys (company_id, name, key_hash, scopes)
     SELECT id, 'Demo', $2, '{read,write}' FROM company`,
    [demo.clientId, apiKeys.hash(demo.apiKey), `demo-${demo.clientId.slice(0, 8)}`],
  );
  const existing = await db.queryOne(
    `UPDATE users SET email_verified_at = COALESCE(email_verified_at, now())
      WHERE lower(email) = lower($1) RETURNING id`,
    [demo.admin.email],
  );
  if (existing !== null) return;
  // Support staff need a verified email address; the sandbox cannot verify one by mail.
  await db.query(
    `INSERT INTO users (company_id, name, email, password_hash, email_verified_at)
     SELECT id, 'Demo admin', $2, $3, now() FROM companies WHERE client_id = $1
     ON CONFLICT DO NOTHING`,
    [demo.clientId, demo.admin.email, await hashPassword(demo.admin.password)],
  );
}

/** Configures the company's gateways through the API if it has none. Later changes by a developer are kept. */
export async function ensureDemoGateways(
  db: Database,
  apiUrl: string,
  demo: DemoCompany,
  driverNames: ReadonlyMap<GatewaySlug, DriverName>,
): Promise<void> {
  const existing = await db.queryOne(
    `SELECT 1 FROM gateway_credentials JOIN companies ON companies.id = company_id WHERE companies.client_id = $1`,
    [demo.clientId],
  );
  if (existing !== null) return;
  const response = await fetch(`${apiUrl}/company/gateways`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-client-id': demo.clientId, 'x-api-key': demo.apiKey },
    body: JSON.stringify({
      gateways: [...driverNames]
        .filter(([slug]) => CREDENTIAL_GATEWAY_SLUGS.includes(slug))
        .map(([slug, driver]) => {
          const { values, clientId } = sandboxAccount(driver, slug);
          const { secretKey, credentials } = values;
          return { gateway_slug: slug, secret_key: secretKey || null, client_id: clientId, credentials };
        }),
    }),
  });
  if (!response.ok)
    throw new Error(`failed to configure the demo company's gateways: ${await response.text()}`);
}
