import { withoutCardToken } from '../../../activities/payments/gateways/card-token';
import type { GatewayAnswer } from '../../../activities/payments/call-gateway';

it('the answer that Temporal stores until it is recorded has no token of the card, and all the rest', () => {
  const outcome = { kind: 'approved', gatewayTransactionId: 'pay_1', amountCents: 100 } as const;
  const answered = (result: object) => ({
    answer: { kind: 'outcome', outcome: result, requestMs: 5 } as GatewayAnswer,
  });
  expect(withoutCardToken(answered({ ...outcome, gatewayToken: 'cus_1:token' }))).toEqual(answered(outcome));
  for (const other of [answered({ kind: 'declined' }), { answer: { kind: 'error' } as GatewayAnswer }])
    expect(withoutCardToken(other)).toBe(other);
});
