/** The merchant whose payments a benchmark makes. */
export interface BenchCompany {
  readonly clientId: string;
  readonly apiKey: string;
}

/** Registers a company with two gateways, over the API as a merchant does. */
export async function registerCompany(apiUrl: string): Promise<BenchCompany> {
  const { credentials } = await call<{ credentials: { client_id: string; api_key: string } }>(
    `${apiUrl}/company/register`,
    'POST',
    {},
    { name: 'Bench' },
  );
  const company = { clientId: credentials.client_id, apiKey: credentials.api_key };
  const headers = { 'x-client-id': company.clientId, 'x-api-key': company.apiKey };
  const gateways = ['gateway_1', 'gateway_2'].map((slug) => ({
    gateway_slug: slug,
    secret_key: `sk_${slug}`,
  }));
  await call(`${apiUrl}/company/gateways`, 'PUT', headers, { gateways });
  return company;
}

async function call<T>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: object,
): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`);
  return (await response.json()) as T;
}
