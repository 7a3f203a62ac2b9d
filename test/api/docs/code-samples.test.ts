import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OpenApi } from '../../../src/dev/build/docs/openapi';
import { BASE_URL, sampleRequest, samplesOf, type SampleLanguage } from '../../../src/dev/build/docs/samples';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { registerUser } from '../users/user-api';

/* The code samples of the documentation page, run by curl and Node against the running API. */

const run = promisify(execFile);
const contract = OpenApi.read();
let api: EngineApi;

beforeAll(async () => {
  api = await startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' });
});
afterAll(() => api.stop());

/** Operations whose examples need nothing that exists already, in an order that works. */
const RUN = [
  ['registerCompany', 200],
  ['saveGateways', 200],
  ['createCardPayment', 200],
  ['listPayments', 200],
  ['listCustomers', 200],
  ['createPlan', 201],
  ['createCoupon', 201],
  ['createPaymentLink', 201],
  ['listSubscriptions', 200],
  ['listEvents', 200],
] as const;

const COMMANDS: Readonly<Record<'curl' | 'node', (code: string) => Promise<{ readonly stdout: string }>>> = {
  curl: (code) =>
    run('bash', [
      '-c',
      code.replace('curl ', `curl --silent --write-out '%{http_code}' --output /dev/null `),
    ]),
  node: (code) => run(process.execPath, ['--input-type=module', '-e', code]),
};

function sampleOf(
  operationId: string,
  language: SampleLanguage,
  credentials: Readonly<Record<string, string>>,
): string {
  const operation = contract.operation(operationId);
  const code = samplesOf(sampleRequest(contract, operation))[language];
  return Object.entries(credentials).reduce((text, [name, value]) => text.replaceAll(name, value), code);
}

it.each(['curl', 'node'] as const)('the %s samples work with the keys of a new company', async (language) => {
  const { company } = (await registerUser(api)).registered;
  const credentials = {
    [BASE_URL]: `${api.baseUrl}/api/v1`,
    YOUR_CLIENT_ID: company.client_id,
    YOUR_API_KEY: company.api_key,
  };
  const statuses: Array<readonly [string, number]> = [];
  for (const [operationId] of RUN) {
    const { stdout } = await COMMANDS[language](sampleOf(operationId, language, credentials));
    statuses.push([operationId, Number(/\d{3}/.exec(stdout)?.[0])]);
  }
  expect(statuses).toEqual(RUN);
});
