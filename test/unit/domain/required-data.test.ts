import { brazilianPhone, internationalPhone } from '../../../src/domain/customers/phone';
import {
  givenFields,
  leastMissing,
  missingFields,
  NO_CONTACT,
  REQUIRABLE_FIELDS,
  type DataOfPayment,
  type RequirableField,
} from '../../../src/domain/routing/required-data';
import { chargeOrigin, NO_PURCHASE_DETAILS } from '../../../src/domain/shared/purchase-details';

const address = {
  ...{ street: 'Rua A', number: '1', neighborhood: 'B', city: 'C', state: 'SP' },
  ...{ zip_code: '01001000', country: 'BR' },
};
const NOTHING: DataOfPayment = {
  purchase: NO_PURCHASE_DETAILS,
  customer: NO_CONTACT,
  billingAddress: null,
  paymentMethod: 'card',
  initiator: 'customer',
};
const payer = (change: object) => ({
  purchase: { ...NO_PURCHASE_DETAILS, payer: { ...NO_PURCHASE_DETAILS.payer, ...change } },
});
const item = { name: 'Camiseta', quantity: 1, unitCents: 4_990 };

describe('what a payment can give a gateway that insists on it', () => {
  it.each<[string, Partial<DataOfPayment>, readonly RequirableField[]]>([
    ['nothing', {}, []],
    ['the payer’s address', payer({ ip: '2001:db8::7' }), ['payer.ip']],
    ['the payer’s phone', payer({ phone: '11 91234-5678' }), ['payer.phone']],
    ['the customer’s phone', { customer: { ...NO_CONTACT, phone: '(11) 1234-5678' } }, ['payer.phone']],
    ['a phone without an area code', { customer: { ...NO_CONTACT, phone: '91234-5678' } }, []],
    ['the cardholder’s address', { billingAddress: address }, ['billing_address']],
    ['the customer’s address for a card', { customer: { phone: null, address } }, []],
    [
      'the customer’s address for a boleto',
      { customer: { phone: null, address }, paymentMethod: 'billet' },
      ['billing_address'],
    ],
    ['items', { purchase: { ...NO_PURCHASE_DETAILS, items: [item] } }, ['items']],
    ['a URL', { purchase: { ...NO_PURCHASE_DETAILS, returnUrl: 'https://a.example' } }, ['return_url']],
    ['nobody to send back, if a merchant initiates it', { initiator: 'merchant' }, ['return_url']],
  ])('%s', (_, data, given) => {
    expect(givenFields({ ...NOTHING, ...data })).toEqual(given);
  });
});

it('a gateway misses what it requires for the method of the payment, and nothing for other methods', () => {
  const gateway = { requires: { card: ['payer.ip', 'payer.phone'] } } as const;
  expect(missingFields(gateway, 'card', [])).toEqual(['payer.ip', 'payer.phone']);
  expect(missingFields(gateway, 'card', ['payer.phone', 'items'])).toEqual(['payer.ip']);
  expect(missingFields(gateway, 'card', REQUIRABLE_FIELDS)).toEqual([]);
  expect(missingFields(gateway, 'pix', [])).toEqual([]);
  expect(missingFields({}, 'card', [])).toEqual([]);
});

it('of several gateways the one counts that misses least, and of equal ones the first', () => {
  const at = (slug: string, ...card: RequirableField[]) => ({ slug, capabilities: { requires: { card } } });
  const gateways = [at('a', 'items', 'payer.ip'), at('b', 'payer.ip'), at('c', 'payer.phone')];
  const request = { paymentMethod: 'card', given: [] } as const;
  expect(leastMissing(gateways, request)).toMatchObject({ gateway: { slug: 'b' }, fields: ['payer.ip'] });
  expect(leastMissing([], request)).toBeNull();
});

it.each([
  ['+55 (11) 91234-5678', '+5511912345678'],
  ['011 1234 5678', '+551112345678'],
  ['5511912345678', '+5511912345678'],
  ['+1 415 555 2671', '+14155552671'],
  ['91234-5678', null],
  ['+0123456789', null],
  ['11 91234-5678 ramal 3', null],
])('the phone %s is %s in the form of E.164', (text, phone) => {
  expect(internationalPhone(text)).toBe(phone);
});

it('only a Brazilian phone has the parts that Brazilian gateways take', () => {
  expect(brazilianPhone('+5511912345678')).toEqual({ areaCode: '11', number: '912345678' });
  expect(brazilianPhone('+14155552671')).toBeNull();
});

it('a charge of a subscription has that origin, also at a checkout', () => {
  expect(chargeOrigin({ subscriptionId: 's', checkoutSessionId: 1 })).toBe('subscription');
  expect(chargeOrigin({ subscriptionId: null, checkoutSessionId: 1 })).toBe('link');
  expect(chargeOrigin({ subscriptionId: null, checkoutSessionId: null })).toBe('api');
});
