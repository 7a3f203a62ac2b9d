import { registerCompany } from '../../src/application/register-company';
import type { PaymentRequest } from '../../src/application/payment-request';
import type { AuthenticatedCompany } from '../../src/domain/company';
import type { GatewaySlug } from '../../src/domain/gateway-slug';
import { ApiKeys } from '../../src/security/api-keys';
import { sealedPlaces } from '../../src/security/sealed-places';
import type { Engine } from './engine';

/** A company of a test's own, with credentials at these gateways in this order; `clientId` where configuration names it. */
export async function newCompany(
  engine: Pick<Engine, 'parts' | 'config'>,
  gateways: readonly GatewaySlug[] = ['gateway_1'],
  clientId?: string,
): Promise<AuthenticatedCompany> {
  const { parts, config } = engine;
  const registered = await registerCompany(
    { companies: parts.companies, apiKeys: new ApiKeys(config.secrets.apiKeyPepper) },
    'Loja de Teste',
  );
  if (clientId !== undefined) {
    await parts.db.query('UPDATE companies SET client_id = $2 WHERE client_id = $1', [
      registered.clientId,
      clientId,
    ]);
  }
  const row = await parts.companies.findByClientId(clientId ?? registered.clientId);
  if (row === null) throw new Error('the company was not registered');
  const { company } = row;
  for (const [index, slug] of gateways.entries()) await addGateway(engine, company, slug, index + 1);
  return company;
}

export async function addGateway(
  { parts }: Pick<Engine, 'parts'>,
  company: AuthenticatedCompany,
  slug: GatewaySlug,
  order: number,
  secret = `sk_test_${company.clientId}`,
): Promise<void> {
  const sealed = await parts.envelope.seal(secret, sealedPlaces.gatewaySecret(company.id, slug));
  await parts.db.query(
    `INSERT INTO gateway_credentials (company_id, gateway_id, gateway_slug, sealed_secret, "order", account_fingerprint)
     SELECT $1, id, slug, $3, $4, $5 FROM gateways WHERE slug = $2`,
    [company.id, slug, JSON.stringify(sealed), order, secret],
  );
}

/** Where the money of a billet goes back to. */
export const BANK_ACCOUNT = {
  holder_name: 'Maria Souza',
  holder_type: 'individual',
  holder_document: '390.533.447-05',
  bank_code: '341',
  branch_number: '1234',
  account_number: '9988776',
  account_check_digit: '7',
  type: 'checking',
};

export const APPROVED_CARD = '4111111111111111';

/** A card payment's body as the contract hands it on, defaults filled in. */
export function paymentRequest(change: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    merchant_order_id: 'order-1001',
    amount: 12_990,
    currency: 'BRL',
    payment_method: 'card',
    customer: { name: 'Maria Souza', email: 'maria@example.com', document: '39053344705' },
    capture: true,
    save_card: false,
    installments: 1,
    card: rawCard(APPROVED_CARD),
    billing_address: {
      street: 'Rua das Flores',
      number: '10',
      neighborhood: 'Centro',
      city: 'Curitiba',
      state: 'PR',
      zip_code: '80000000',
      country: 'BR',
    },
    ...change,
  };
}

export function rawCard(number: string): NonNullable<PaymentRequest['card']> {
  return { number, holder_name: 'MARIA SOUZA', expire_month: 12, expire_year: 2035, cvv: '737' };
}
