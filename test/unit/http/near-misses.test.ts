import type { RouteId } from '../../../src/http/server/route';
import { nearMisses } from '../../../src/http/server/near-misses';
import { contract } from '../../api/support/contract';

function messages(id: RouteId, body: object): object {
  const route = contract.routes.find((candidate) => candidate.id === id);
  if (route === undefined) throw new Error(`there is no route ${id}`);
  return Object.fromEntries(nearMisses(route.bodyShape, body).map(({ path, message }) => [path, message]));
}

describe('a property that the contract does not know', () => {
  it.each<[RouteId, object, string, string]>([
    ['createCardPayment', { captured: false }, '/body/captured', 'capture'],
    ['createCardPayment', { Capture: false }, '/body/Capture', 'capture'],
    ['createCardPayment', { catpure: false }, '/body/catpure', 'capture'],
    ['createCardPayment', { instalments: 3 }, '/body/instalments', 'installments'],
    ['createCardPayment', { pixExpiresIn: 60 }, '/body/pixExpiresIn', 'pix_expires_in'],
    ['createCardPayment', { card: { cvc: '123' } }, '/body/card/cvc', 'cvv'],
    ['createCardPayment', { customer: { adress: {} } }, '/body/customer/adress', 'address'],
    [
      'createPixPayment',
      { splits: [{}, { recipent_id: 're_1' }] },
      '/body/splits/1/recipent_id',
      'recipient_id',
    ],
    ['refundPayment', { ammount: 100 }, '/body/ammount', 'amount'],
    ['changeSubscriptionPlan', { immediatly: true }, '/body/immediatly', 'immediately'],
    ['pauseSubscription', { pause_until: null }, '/body/pause_until', 'paused_until'],
    ['payCheckout', { instalment: 2 }, '/body/instalment', 'installments'],
  ])('%s %j is taken for a misspelt one if it is near', (id, body, path, meant) => {
    expect(messages(id, body)).toEqual({ [path]: `did you mean "${meant}"?` });
  });

  it.each<[string, RouteId, object]>([
    ['two edits from a short name', 'refundPayment', { amont_: 1 }],
    ['three edits from a long name', 'createCardPayment', { instlmnts: 3 }],
    ['near none', 'createCardPayment', { order_channel: 'app', 'x/y': 1, '~': 2 }],
    ['near a name that is present', 'createCardPayment', { capture: false, captured: true }],
    ['part of metadata', 'createCardPayment', { metadata: { captured: 'yes', amont: '1' } }],
    ['part of metadata in a list', 'createSubscription', { metadata: [{ coupon_cod: 'x' }] }],
    ['inside something of the wrong type', 'createCardPayment', { splits: { amont: 1 }, card: 'cvc' }],
  ])('is ignored if it is %s', (_reason, id, body) => {
    expect(messages(id, body)).toEqual({});
  });

  it('is looked at in the bodies that move money, and in no others', () => {
    const routes = contract.routes.filter(({ movesMoney }) => movesMoney).map(({ id }) => id);
    expect(routes.sort()).toEqual(
      [
        ...[
          'createCardPayment',
          'createPixPayment',
          'createBilletPayment',
          'capturePayment',
          'refundPayment',
        ],
        ...['captureUserPayment', 'refundUserPayment', 'payCheckout', 'createSubAccount'],
        ...['createSubscription', 'pauseSubscription', 'cancelSubscription', 'changeSubscriptionPlan'],
        ...['changeSubscriptionCard', 'pauseUserSubscription', 'cancelUserSubscription'],
      ].sort(),
    );
  });
});
