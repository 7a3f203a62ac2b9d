import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { assertRoutable, type RoutableDeps } from '../../../src/application/payments/assert-routable';
import type { Tx } from '../../../src/persistence/sql/transaction';

const METHOD = { paymentMethod: 'pix', authorizeOnly: false, currency: 'BRL' } as const;
const NEEDS = { ...METHOD, splits: [], expiry: null };
const company = { id: 1, clientId: 'c' } as unknown as AuthenticatedCompany;

const at = (...slugs: string[]) => {
  const enabled = slugs.map((slug) => ({ slug, capabilities: { methods: ['card'] } }));
  return {
    gateways: { listRoutableGateways: () => Promise.resolve([]) },
    registry: { platformSlugs: () => [], routable: () => enabled },
    now: () => new Date(0),
  } as unknown as RoutableDeps;
};
const refusal = (deps: RoutableDeps, audience: 'company' | 'buyer') =>
  assertRoutable(deps, {} as Tx, company, NEEDS, audience).catch((error: unknown) => error);

it('the refusal of a payment tells the company the reason of each gateway, and a buyer nothing about gateways', async () => {
  const deps = at('gateway_1', 'gateway_4');
  expect(await refusal(deps, 'company')).toMatchObject({
    code: 'no_gateway_available',
    message:
      'No enabled gateway supports this payment: gateway_1 does not support pix; gateway_4 does not support pix.',
  });
  const plain = { code: 'no_gateway_available', message: 'No enabled gateway supports this payment.' };
  expect(await refusal(deps, 'buyer')).toMatchObject(plain);
  expect(await refusal(at(), 'company')).toMatchObject(plain);
});
