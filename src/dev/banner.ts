import type { DemoCompany } from './demo-company';
import type { Addresses } from './sandbox-file';

/** The terminal output after a successful start. */
export function banner(addresses: Addresses, demo: DemoCompany, dataDir: string): string {
  return `
  Dashboard     ${addresses.baseUrl}/dashboard
  API           ${addresses.apiUrl}
  Docs          ${addresses.baseUrl}/docs
  Temporal UI   ${addresses.temporalUiUrl ?? `(with ${addresses.temporalAddress})`}
  Simulator     ${addresses.simulatorUrl}
${metricsLines(addresses)}
  Logs          ${dataDir}/logs
  Sandbox file  ${dataDir}/sandbox.json

  Demo company
    X-Client-ID  ${demo.clientId}
    X-API-Key    ${demo.apiKey}
    Signs in     ${demo.admin.email} / ${demo.admin.password}

  A card payment:

${cardPaymentCommand(addresses.apiUrl, demo)}

  Ctrl-C stops everything.
`;
}

/** One line for each process. */
function metricsLines({ metrics }: Addresses): string {
  return Object.entries(metrics)
    .map(([name, url], index) => `  ${(index === 0 ? 'Metrics' : '').padEnd(14)}${url} (${name})`)
    .join('\n');
}

function cardPaymentCommand(apiUrl: string, demo: DemoCompany): string {
  const body = {
    merchant_order_id: 'order-1001',
    amount: 12990,
    currency: 'BRL',
    payment_method: 'card',
    customer: { name: 'Ana Souza', email: 'ana@example.com', document: '12345678909' },
    card: {
      number: '4111111111111111',
      holder_name: 'ANA SOUZA',
      expire_month: 12,
      expire_year: new Date().getUTCFullYear() + 3,
      cvv: '123',
    },
    billing_address: {
      street: 'Rua Augusta',
      number: '100',
      neighborhood: 'Centro',
      city: 'São Paulo',
      state: 'SP',
      zip_code: '01304000',
      country: 'BR',
    },
  };
  return `curl -s ${apiUrl}/payments/card \\
  -H 'Content-Type: application/json' \\
  -H 'X-Client-ID: ${demo.clientId}' -H 'X-API-Key: ${demo.apiKey}' \\
  -d '${JSON.stringify(body)}'`;
}
