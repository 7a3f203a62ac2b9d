import { contract } from '../../api/support/contract';

/** They create nothing, or repeating them changes nothing. */
const WITHOUT_KEY = [
  'logOut',
  'movePaymentClock',
  'moveSubscriptionClock',
  'resolvePayment',
  'inquirePayment',
  'simulateRouting',
  'acceptDispute',
  'releaseCard',
  // The same file again changes nothing.
  'importStatement',
  'settleSettlementItem',
  'resendInvitation',
  // Their answers have secrets, and each needs a password or a code that works once.
  'startTwoFactor',
  'confirmTwoFactor',
  'disableTwoFactor',
  'renewRecoveryCodes',
  'resendWebhookDelivery',
  'sendVerificationEmail',
  'submitDispute',
  'verifyEmail',
];

it('every authenticated POST that creates something takes an Idempotency-Key, and no public one does', () => {
  const posts = contract.routes.filter(({ method }) => method === 'post');
  const without = posts.filter((route) => route.auth !== 'none' && !route.takesIdempotencyKey);
  expect(without.map(({ id }) => id).sort()).toEqual([...WITHOUT_KEY].sort());
  const open = contract.routes.filter((route) => route.auth === 'none' && route.takesIdempotencyKey);
  expect(open).toEqual([]);
});
