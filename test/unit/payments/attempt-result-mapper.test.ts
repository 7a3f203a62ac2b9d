import { wasReturnedByGateway } from '../../../activities/payments/attempt-predicates';
import {
  toAttemptResult,
  toChargeAttemptResult,
  type ChargeUpdate,
} from '../../../activities/payments/attempt-result-mapper';
import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import type { Accepted, Declined } from '../../../src/gateways/gateway';

/* What an update of a charge attempt means, and what its row keeps of it. */

const ACCEPTED: Accepted = {
  kind: 'approved',
  gatewayTransactionId: 'ch_1',
  amountCents: 1_000,
  responseCode: '00',
  responseMessage: 'approved',
  authorizationCode: 'A1',
  networkIds: { transactionId: 'N1', transactionLinkId: null, eloReference: null },
  captureBefore: null,
  paidAmountCents: null,
  pix: null,
  billet: null,
  chargeState: null,
};
const accepted = (kind: Accepted['kind']): ChargeUpdate => ({
  kind: 'outcome',
  outcome: { ...ACCEPTED, kind },
  requestMs: 12,
});
const error = (family: string, code: string | null = '422') =>
  ({ kind: 'error', family, code, message: 'no', requestMs: 12 }) as ChargeUpdate;
const declined = {
  kind: 'outcome',
  outcome: { kind: 'declined', code: '51', message: 'funds', adviceCode: '03', gatewayTransactionId: 'ch_2' },
  requestMs: 12,
} as const satisfies ChargeUpdate;
const CHARGE = { id: 'attempt', operation: 'charge' } as const;

describe('an update of a charge attempt', () => {
  it.each([
    ['approved', { kind: 'approved' }],
    ['authorized', { kind: 'authorized' }],
    ['pending', { kind: 'pending' }],
    ['canceled', { kind: 'error', code: 'canceled', definite: true }],
    ['refunded', { kind: 'error', code: 'refunded', definite: true }],
  ] as const)(
    'that it is %s at the gateway means %j: money that was returned is not charged elsewhere',
    (...row) => {
      const [kind, expected] = row;
      expect(toChargeAttemptResult(CHARGE, accepted(kind))).toEqual(expected);
    },
  );

  it.each([
    ['ambiguous', '500', { kind: 'unknown' }],
    ['not_sent', NOT_SENT_LOCALLY, { kind: 'abandoned', notSent: true }],
    ['not_sent', null, { kind: 'error', code: null, definite: false, badCredentials: false }],
    ['rate_limited', '429', { kind: 'error', code: '429', definite: false, badCredentials: false }],
    ['invalid_request', '422', { kind: 'error', code: '422', definite: true, badCredentials: false }],
    ['bad_credentials', '401', { kind: 'error', code: '401', definite: false, badCredentials: true }],
    // A gateway may use the same code with another meaning.
    [
      'unsupported',
      NOT_SENT_LOCALLY,
      { kind: 'error', code: NOT_SENT_LOCALLY, definite: false, badCredentials: false },
    ],
  ])('with the gateway error %s and the code %s means %j', (family, code, expected) => {
    expect(toChargeAttemptResult(CHARGE, error(family, code))).toEqual(expected);
  });

  it('from an operator or a proof of absence has their word', () => {
    const confirmed: ChargeUpdate = { kind: 'confirmed', message: 'seen' };
    expect(toChargeAttemptResult(CHARGE, confirmed)).toEqual({ kind: 'approved' });
    expect(toChargeAttemptResult({ operation: 'authorize' }, confirmed)).toEqual({ kind: 'authorized' });
    const absent: ChargeUpdate = { kind: 'absent', message: 'never received' };
    expect(toChargeAttemptResult(CHARGE, absent)).toEqual({ kind: 'abandoned', notSent: false });
    expect(toChargeAttemptResult(CHARGE, declined)).toEqual({
      kind: 'declined',
      code: '51',
      adviceCode: '03',
    });
  });
});

describe('the row of a charge attempt', () => {
  const deps = { settings: { publicBaseUrl: 'https://pay.example' } } as Parameters<
    typeof toAttemptResult
  >[0];
  const rowOf = (update: ChargeUpdate, brand: string | null = 'mastercard') =>
    toAttemptResult(
      deps,
      { card: brand && { brand } } as Parameters<typeof toAttemptResult>[1],
      CHARGE,
      update,
    );

  it('keeps what the gateway accepted', () => {
    expect(rowOf(accepted('approved'))).toEqual({
      ...{ status: 'approved', requestMs: 12, gatewayTransactionId: 'ch_1', errorFamily: null },
      ...{ responseCode: '00', responseMessage: 'approved' },
      ...{ authorizationCode: 'A1', networkIds: ACCEPTED.networkIds, pix: null, billet: null },
    });
    const pix = { qrCode: 'code', expiresAt: '2026-03-10T12:00:00Z' } as unknown as Accepted['pix'];
    const update: ChargeUpdate = { kind: 'outcome', outcome: { ...ACCEPTED, pix }, requestMs: 12 };
    expect(rowOf(update)).toMatchObject({
      pix: { ...pix, qrCodeUrl: 'https://pay.example/pix/attempt.png' },
    });
  });

  it.each([
    ['mastercard', 'soft'],
    ['visa', 'hard'],
    [null, 'hard'],
  ])('keeps the class of a decline by the rules of the card network %s: %s', (brand, declineType) => {
    const outcome = { ...declined.outcome, code: '57', adviceCode: null };
    expect(rowOf({ ...declined, outcome }, brand)).toMatchObject({ declineType });
  });

  it('keeps a decline with its class, and an error with its family', () => {
    expect(rowOf(declined)).toEqual({
      ...{ status: 'declined', requestMs: 12, gatewayTransactionId: 'ch_2', errorFamily: null },
      ...{ responseCode: '51', responseMessage: 'funds', adviceCode: '03', declineType: 'hard' },
    });
    expect(rowOf(error('rate_limited', '429'))).toEqual({
      ...{ status: 'error', errorFamily: 'rate_limited', responseCode: '429', responseMessage: 'no' },
      requestMs: 12,
    });
  });

  it('keeps a decline without a code with the driver’s class and the gateway’s word', () => {
    const outcome: Declined = {
      kind: 'declined',
      code: null,
      declineClass: 'fraud',
      message: 'cc_rejected_high_risk',
      adviceCode: null,
      gatewayTransactionId: 'ch_2',
    };
    const update: ChargeUpdate = { kind: 'outcome', outcome, requestMs: 12 };
    expect(toChargeAttemptResult(CHARGE, update)).toEqual({ kind: 'declined', code: null, adviceCode: null });
    expect(rowOf(update)).toMatchObject({
      ...{ responseCode: null, responseMessage: 'cc_rejected_high_risk', declineType: 'fraud' },
    });
  });

  it('keeps the word of an operator, with the id of the charge if it was entered, and the proof of absence', () => {
    expect(rowOf({ kind: 'absent', message: 'gone' })).toEqual({
      status: 'abandoned',
      responseMessage: 'gone',
    });
    const confirmed = { kind: 'confirmed', message: 'seen' } as const;
    expect(rowOf(confirmed)).toEqual({ status: 'approved', responseMessage: 'seen' });
    expect(rowOf({ ...confirmed, gatewayTransactionId: 'ch_9' })).toEqual({
      ...{ status: 'approved', responseMessage: 'seen', gatewayTransactionId: 'ch_9' },
    });
  });
});

describe('a charge that its gateway has returned', () => {
  const returned = {
    operation: 'charge',
    status: 'error',
    errorFamily: null,
    gatewayTransactionId: 'ch_1',
  } as const;

  it.each([
    [{}, true],
    [{ operation: 'authorize' }, true],
    [{ operation: 'refund' }, false],
    [{ status: 'declined' }, false],
    [{ errorFamily: 'invalid_request' }, false],
    [{ gatewayTransactionId: null }, false],
  ] as const)('with %j is known as such: %s', (change, expected) => {
    expect(wasReturnedByGateway({ ...returned, ...change })).toBe(expected);
  });
});
