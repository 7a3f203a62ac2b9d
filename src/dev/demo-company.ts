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
    apiKey: apiKeys.generate('test'),
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

/** The vendor for which the company's credentials at each gateway were stored. */
type ConfiguredVendors = Readonly<Partial<Record<GatewaySlug, DriverName>>>;

const GATEWAYS_FILE = 'demo-gateways.json';

/**
 * Gateways of the company's own accounts whose vendor is not the one that the company has credentials for: another vendor
 * would refuse them. Null: the company has none.
 */
export function gatewaysToConfigure(
  configured: ConfiguredVendors | null,
  driverNames: ReadonlyMap<GatewaySlug, DriverName>,
): ReadonlyArray<readonly [GatewaySlug, DriverName]> {
  return [...driverNames].filter(
    ([slug, driver]) => CREDENTIAL_GATEWAY_SLUGS.includes(slug) && configured?.[slug] !== driver,
  );
}

/**
 * Stores credentials through the API at each gateway that has none, or that has got another vendor since the last start. A
 * developer's own changes are kept while the vendor stays the same.
 */
export async function ensureDemoGateways(
  db: Database,
  apiUrl: string,
  demo: DemoCompany,
  { driverNames, dataDir }: { readonly driverNames: ReadonlyMap<GatewaySlug, DriverName>; dataDir: string },
): Promise<void> {
  const missing = gatewaysToConfigure(await readConfiguredVendors(db, demo, dataDir), driverNames);
  if (missing.length === 0) return;
  const response = await fetch(`${apiUrl}/company/gateways`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-client-id': demo.clientId, 'x-api-key': demo.apiKey },
    body: JSON.stringify({
      gateways: missing.map(([slug, driver]) => {
        const { values, clientId } = sandboxAccount(driver, slug);
        const { secretKey, credentials } = values;
        return { gateway_slug: slug, secret_key: secretKey || null, client_id: clientId, credentials };
      }),
    }),
  });
  if (!response.ok)
    throw new Error(`failed to configure the demo company's gateways: ${await response.text()}`);
  writeFileAtomically(join(dataDir, GATEWAYS_FILE), JSON.stringify(Object.fromEntries(driverNames), null, 2));
}

async function readConfiguredVendors(
  db: Database,
  demo: DemoCompany,
  dataDir: string,
): Promise<ConfiguredVendors | null> {
  const existing = await db.queryOne(
    `SELECT 1 FROM gateway_credentials JOIN companies ON companies.id = company_id WHERE companies.client_id = $1`,
    [demo.clientId],
  );
  if (existing === null) return null;
  const file = join(dataDir, GATEWAYS_FILE);
  // Earlier versions wrote no such file. Their credentials were the simulator's, unless a vendor was chosen.
  if (!existsSync(file))
    return Object.fromEntries(CREDENTIAL_GATEWAY_SLUGS.map((slug) => [slug, 'simulator']));
  return JSON.parse(readFileSync(file, 'utf8')) as ConfiguredVendors;
}
