import { assignOrders, checkGatewayCredentials } from '../../../src/domain/routing/gateway-credentials';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { individual } from './subaccount-fixtures';

const TODAY = '2026-06-15';

describe('checkGatewayCredentials', () => {
  it('a secret key or a sub-account is accepted', () => {
    const checked = checkGatewayCredentials(
      [
        { gateway_slug: 'gateway_1', secret_key: 'sk_1', order: 3, client_id: 'me' },
        {
          gateway_slug: 'gateway_2',
          secret_key: 'sk_2',
          use_as_subaccount: true,
          subaccount_information: individual(),
        },
      ],
      TODAY,
    );
    expect(checked).toMatchObject({
      valid: true,
      value: [
        { slug: 'gateway_1', order: 3, clientId: 'me', account: { kind: 'secret', secretKey: 'sk_1' } },
        { slug: 'gateway_2', order: null, clientId: undefined, account: { kind: 'sub_account' } },
      ],
    });
  });

  it.each(['gateway_6', 'gateway_7', 'gateway_0', 'stripe'])(
    '%s is rejected, because companies have no credentials there',
    (slug) => {
      expect(checkGatewayCredentials([{ gateway_slug: slug, secret_key: 'sk' }], TODAY)).toMatchObject({
        errors: { 'gateways.0.gateway_slug': [expect.stringContaining('must be one of')] },
      });
    },
  );

  it('a gateway that is named twice is rejected', () => {
    const item = { gateway_slug: 'gateway_1', secret_key: 'sk' };
    expect(checkGatewayCredentials([item, item], TODAY)).toEqual({
      valid: false,
      errors: { 'gateways.1.gateway_slug': ['is named twice in this request'] },
    });
  });

  it('sub-account information is required for a sub-account, and checked even if it is not used', () => {
    const item = { gateway_slug: 'gateway_1', secret_key: 'sk' };
    const invalid = individual({ birthdate: null });
    expect(checkGatewayCredentials([{ ...item, use_as_subaccount: true }], TODAY)).toMatchObject({
      errors: { 'gateways.0.subaccount_information': ['is required when use_as_subaccount is true'] },
    });
    expect(checkGatewayCredentials([{ ...item, subaccount_information: invalid }], TODAY)).toMatchObject({
      errors: { 'gateways.0.subaccount_information.birthdate': ['is required for an individual'] },
    });
  });

  it('the errors of all items are reported at once', () => {
    const checked = checkGatewayCredentials(
      [
        { gateway_slug: 'gateway_9', secret_key: 'sk' },
        { gateway_slug: 'gateway_1', secret_key: 'sk', use_as_subaccount: true },
      ],
      TODAY,
    );
    expect(checked.valid ? [] : Object.keys(checked.errors)).toEqual([
      'gateways.0.gateway_slug',
      'gateways.1.subaccount_information',
    ]);
  });
});

describe('assignOrders', () => {
  const current = new Map<GatewaySlug, number>([
    ['gateway_1', 4],
    ['gateway_2', 1],
  ]);

  it('new gateways come last, in the order of the request', () => {
    const orders = assignOrders(current, [
      { slug: 'gateway_5', order: null },
      { slug: 'gateway_3', order: null },
    ]);
    expect([orders.get('gateway_5'), orders.get('gateway_3')]).toEqual([5, 6]);
    expect(assignOrders(new Map(), [{ slug: 'gateway_5', order: null }]).get('gateway_5')).toBe(1);
  });

  it('an existing gateway keeps its order unless the request changes it, and orders may be equal', () => {
    const orders = assignOrders(current, [
      { slug: 'gateway_2', order: null },
      { slug: 'gateway_1', order: 1 },
    ]);
    expect([...orders]).toEqual([
      ['gateway_1', 1],
      ['gateway_2', 1],
    ]);
  });
});
