import type { AuthenticatedCompany } from '../../../src/domain/companies/company';
import { assertRoutable, type RoutableDeps } from '../../../src/application/payments/assert-routable';
import type { RequirableField } from '../../../src/domain/routing/required-data';
import type { Tx } from '../../../src/persistence/sql/transaction';

const METHOD = { paymentMethod: 'pix', authorizeOnly: false, currency: 'BRL' } as const;
const NEEDS = { ...METHOD, installments: 1, hasCvv: false, splits: [], expiry: null, given: [] };
const CARDS_ONLY = { methods: ['card'] };
const company = { id: 1, clientId: 'c' } as unknown as AuthenticatedCompany;

const at = (...slugs: string[]) => withGateways(slugs.map((slug) => ({ slug, capabilities: CARDS_ONLY })));

function withGateways(enabled: readonly object[]): RoutableDeps {
  return {
    gateways: { listRoutableGateways: () => Promise.resolve([]) },
    registries: { of: () => ({ platformSlugs: () => [], routable: () => enabled }) },
    now: () => new Date(0),
  } as unknown as RoutableDeps;
}

/** A gateway that takes pix if it gets this data. */
const insisting = (slug: string, ...fields: RequirableField[]) => ({
  ...{ slug, recipientIds: [], lackedFeatures: [], subAccount: null },
  capabilities: { methods: ['pix'], splits: 'none', requires: { pix: fields } },
});
const refusal = (deps: RoutableDeps, audience: 'company' | 'buyer') =>
  assertRoutable(deps, {} as Tx, company, NEEDS, { audience, charged: null }).catch(
    (error: unknown) => error,
  );

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

it('if nothing but data is missing, the refusal names the fields that the least demanding gateway needs', async () => {
  const gateways = [insisting('gateway_1', 'payer.ip', 'items'), insisting('gateway_4', 'payer.phone')];
  const both = withGateways([{ slug: 'gateway_2', capabilities: CARDS_ONLY }, ...gateways]);
  const why = 'gateway_4 takes no pix payment without it, and no other gateway supports this payment';
  expect(await refusal(both, 'company')).toMatchObject({
    code: 'validation_error',
    fields: { 'payer.phone': [`is required: ${why}`] },
  });
  expect(await refusal(both, 'buyer')).toMatchObject({
    code: 'validation_error',
    fields: { 'payer.phone': ['is required'] },
  });
});

it('a buyer is not asked for what only the company can give', async () => {
  const deps = withGateways([insisting('gateway_1', 'payer.phone', 'items')]);
  expect(await refusal(deps, 'buyer')).toMatchObject({ code: 'no_gateway_available' });
});
