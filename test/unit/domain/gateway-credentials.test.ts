import type { CredentialField } from '../../../src/domain/routing/credential-fields';
import {
  assignOrders,
  checkGatewayCredentials,
  type GatewayCredentialInput,
} from '../../../src/domain/routing/gateway-credentials';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import { individual } from './subaccount-fixtures';

const TODAY = '2026-06-15';
const DESCRIPTIONS = { description: 'In the console.', descriptionPt: 'No console.' };
const FIELD = { required: true, secret: true, ...DESCRIPTIONS, shape: null };
const SECRET_KEY = { ...FIELD, name: 'secret_key' };
const CLIENT_ID = { ...FIELD, name: 'client_id', required: false, secret: false };

/** A check at gateways with these fields, for a company whose present credentials have this client id. */
function check(
  items: readonly GatewayCredentialInput[],
  credentialFields: readonly CredentialField[] = [SECRET_KEY, CLIENT_ID],
  clientId: string | null = null,
) {
  return checkGatewayCredentials(items, TODAY, () => ({ credentialFields, clientId }));
}

describe('checkGatewayCredentials', () => {
  it('a secret key or a sub-account is accepted', () => {
    const checked = check([
      { gateway_slug: 'gateway_1', secret_key: 'sk_1', order: 3, client_id: 'me' },
      {
        gateway_slug: 'gateway_2',
        secret_key: 'sk_2',
        use_as_subaccount: true,
        subaccount_information: individual(),
      },
    ]);
    expect(checked).toMatchObject({
      valid: true,
      value: [
        {
          slug: 'gateway_1',
          order: 3,
          clientId: 'me',
          account: { kind: 'secret', values: { secretKey: 'sk_1', credentials: {} }, sameAccount: false },
        },
        { slug: 'gateway_2', order: null, clientId: null, account: { kind: 'sub_account' } },
      ],
    });
  });

  it.each(['gateway_6', 'gateway_7', 'gateway_0', 'stripe'])(
    '%s is rejected, because companies have no credentials there',
    (slug) => {
      expect(check([{ gateway_slug: slug, secret_key: 'sk' }])).toMatchObject({
        errors: { 'gateways.0.gateway_slug': [expect.stringContaining('must be one of')] },
      });
    },
  );

  it('a gateway that is named twice is rejected', () => {
    const item = { gateway_slug: 'gateway_1', secret_key: 'sk' };
    expect(check([item, item])).toEqual({
      valid: false,
      errors: { 'gateways.1.gateway_slug': ['is named twice in this request'] },
    });
  });

  it('sub-account information is required for a sub-account, and checked even if it is not used', () => {
    const item = { gateway_slug: 'gateway_1', secret_key: 'sk' };
    const invalid = individual({ birthdate: null });
    expect(check([{ ...item, use_as_subaccount: true }])).toMatchObject({
      errors: { 'gateways.0.subaccount_information': ['is required when use_as_subaccount is true'] },
    });
    expect(check([{ ...item, subaccount_information: invalid }])).toMatchObject({
      errors: { 'gateways.0.subaccount_information.birthdate': ['is required for an individual'] },
    });
  });

  it('the errors of all items are reported at once', () => {
    const checked = check([
      { gateway_slug: 'gateway_9', secret_key: 'sk' },
      { gateway_slug: 'gateway_1', secret_key: 'sk', use_as_subaccount: true },
    ]);
    expect(checked.valid ? [] : Object.keys(checked.errors)).toEqual([
      'gateways.0.gateway_slug',
      'gateways.1.subaccount_information',
    ]);
  });
});

describe('the fields of a gateway’s credentials', () => {
  const item = { gateway_slug: 'gateway_1', secret_key: 'sk' };
  const certificate = { ...FIELD, name: 'certificate' };
  const errorsOf = (checked: ReturnType<typeof check>) => (checked.valid ? {} : checked.errors);

  it('required ones must be given, under the path at which the request names them', () => {
    const clientId = { ...CLIENT_ID, required: true };
    const { secret_key: _, ...bare } = item;
    expect(errorsOf(check([bare], [SECRET_KEY, clientId, certificate]))).toEqual({
      'gateways.0.secret_key': ['is required for gateway_1'],
      'gateways.0.client_id': ['is required for gateway_1'],
      'gateways.0.credentials.certificate': ['is required for gateway_1'],
    });
    expect(check([bare], [])).toMatchObject({
      value: [{ account: { values: { secretKey: '', credentials: {} } } }],
    });
  });

  it('a client id that the company has already need not be named again, and null removes it', () => {
    const clientId = { ...CLIENT_ID, required: true };
    expect(check([item], [SECRET_KEY, clientId], 'loja')).toMatchObject({ value: [{ clientId: 'loja' }] });
    expect(errorsOf(check([{ ...item, client_id: null }], [SECRET_KEY, clientId], 'loja'))).toEqual({
      'gateways.0.client_id': ['is required for gateway_1'],
    });
  });

  it('a value that does not look like the vendor’s is rejected with what it must be', () => {
    const rule = 'must start with sk_live_ or sk_test_';
    const secretKey = { ...SECRET_KEY, shape: { pattern: /^sk_(?:live|test)_/, rule } };
    const pem = {
      ...certificate,
      required: false,
      shape: { pattern: /^-----BEGIN/, rule: 'must be a PEM text' },
    };
    expect(errorsOf(check([{ ...item, credentials: { certificate: 'x' } }], [secretKey, pem]))).toEqual({
      'gateways.0.secret_key': [rule],
      'gateways.0.credentials.certificate': ['must be a PEM text'],
    });
    expect(check([{ ...item, secret_key: 'sk_test_1' }], [secretKey, pem]).valid).toBe(true);
  });

  it('named credentials that the gateway does not have are rejected, so that a misspelt name is noticed', () => {
    const given = { certificate: 'PEM', certifcate: 'PEM', secret_key: 'sk' };
    expect(errorsOf(check([{ ...item, credentials: given }], [SECRET_KEY, certificate]))).toEqual({
      'gateways.0.credentials.certifcate': ['is not a credential of gateway_1'],
      'gateways.0.credentials.secret_key': ['is not a credential of gateway_1'],
    });
  });

  it('of a sub-account only the secret key is required', () => {
    const sub = { use_as_subaccount: true, subaccount_information: individual() };
    expect(check([{ ...item, ...sub }], [SECRET_KEY, certificate]).valid).toBe(true);
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
