import { CieloDriver } from '../../../../src/gateways/cielo/driver';
import { UNKNOWN_CODES } from '../../../../src/gateways/cielo/operations';
import { GatewayError } from '../../../../src/gateways/errors';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  authorized,
  changed,
  cieloStub,
  empty,
  error,
  followUp,
  ok,
  paidPix,
  PAYMENT_ID,
  pix,
  REFERENCE,
  sale,
  type StubAnswer,
} from './cielo-stub';

const driver = new CieloDriver();
const LOST = new GatewayError('ambiguous', 'the answer was incomplete');
const SALE = `sales/${PAYMENT_ID}`;

type Operation = 'capture' | 'cancel' | 'refund';
function operate(operation: Operation, changes: object, ...answers: readonly StubAnswer[]) {
  const stub = cieloStub(...answers);
  const reference = `${REFERENCE}-${operation}`;
  return { stub, outcome: driver[operation](stub.ctx, followUp({ reference, ...changes })) };
}
const expectFamily = async ({ outcome }: { outcome: Promise<unknown> }, family: string) =>
  expect(await outcome.catch((thrown: unknown) => thrown)).toMatchObject({ name: 'GatewayError', family });

describe('a capture', () => {
  it('captures a part of an authorization, after a look at its state', async () => {
    const { stub, outcome } = operate(
      'capture',
      { amountCents: 9_000 },
      ok(authorized()),
      ok(changed(2, '6')),
    );
    expect(await outcome).toMatchObject({ kind: 'approved', amountCents: 9_000 });
    expect(stub.paths()).toEqual([`GET query ${SALE}`, `PUT api ${SALE}/capture?amount=9000`]);
    expect(stub.sent.map(({ sendBefore }) => sendBefore)).toEqual([1_900_000_000_000, 1_900_000_000_000]);
  });

  it('of too much, or of what is not authorized, is refused before it is sent', async () => {
    for (const each of [
      operate('capture', { amountCents: 13_000 }, ok(authorized())),
      operate('capture', {}, ok(sale())),
      operate('capture', {}, ok(sale({ Status: 10, CapturedAmount: undefined }))),
      operate('capture', {}, empty(404)),
    ]) {
      await expectFamily(each, 'invalid_request');
      expect(each.stub.sent).toHaveLength(1);
    }
  });
});

describe('a cancel', () => {
  it('voids an authorization, and never gives back a captured sale or an unpaid pix', async () => {
    const voided = operate('cancel', {}, ok(authorized()), ok(changed(10, '9')));
    expect(await voided.outcome).toMatchObject({ kind: 'canceled', amountCents: 12_990 });
    expect(voided.stub.paths()[1]).toBe(`PUT api ${SALE}/void?amount=12990`);
    for (const [state, family] of [
      [sale(), 'invalid_request'],
      [paidPix(), 'invalid_request'],
      [pix(), 'unsupported'],
    ] as const) {
      const each = operate('cancel', {}, ok(state), ok(changed(10, '9')));
      await expectFamily(each, family);
      expect(each.stub.sent).toHaveLength(1);
    }
  });
});

describe('a refund', () => {
  it('of a card is done at once, in parts', async () => {
    const { stub, outcome } = operate('refund', { amountCents: 4_000 }, ok(sale()), ok(changed(2, '0')));
    expect(await outcome).toMatchObject({ kind: 'refunded', amountCents: 4_000 });
    expect(stub.paths()[1]).toBe(`PUT api ${SALE}/void?amount=4000`);
    for (const status of [10, 11])
      expect(await operate('refund', {}, ok(sale()), ok(changed(status, '9'))).outcome).toMatchObject({
        kind: 'refunded',
      });
  });

  it('of a pix is pending', async () => {
    const { outcome } = operate('refund', {}, ok(paidPix()), ok(changed(12, '0')));
    expect(await outcome).toMatchObject({ kind: 'pending', amountCents: 12_990 });
  });

  it('of more than is left, or of an authorization, is refused before it is sent', async () => {
    for (const each of [
      operate('refund', { amountCents: 9_000 }, ok(sale({ VoidedAmount: 4_000 }))),
      operate('refund', {}, ok(sale({ Status: 11 }))),
      operate('refund', {}, ok(authorized())),
      operate('refund', {}, ok(pix())),
      operate('refund', {}, empty(404)),
    ]) {
      await expectFamily(each, 'invalid_request');
      expect(each.stub.sent).toHaveLength(1);
    }
  });

  it('that Cielo refuses is invalid_request', async () => {
    for (const answer of [ok(changed(2, '41')), error(400, 312, 'Transaction not available to refund')])
      await expectFamily(operate('refund', {}, ok(sale()), answer), 'invalid_request');
  });

  it('whose result Cielo does not know, or that another answer is about, is ambiguous', async () => {
    for (const code of UNKNOWN_CODES)
      await expectFamily(operate('refund', {}, ok(sale()), ok(changed(2, code))), 'ambiguous');
    for (const answer of [
      ok(changed(2, '0', '00000000-0000-4000-8000-000000000000')),
      ok({ Status: 2, ReturnCode: '0' }),
      ok(changed(2, 'BP900')),
      ok(changed(0, '0')),
      empty(404),
      LOST,
    ])
      await expectFamily(operate('refund', {}, ok(sale()), answer), 'ambiguous');
  });

  it('whose sale cannot be read was not sent', async () => {
    for (const answer of [LOST, empty(502), ok(sale({ PaymentId: '00000000-0000-4000-8000-000000000000' }))])
      await expectFamily(operate('refund', {}, answer), 'not_sent');
    await expectFamily(operate('refund', {}, empty(401)), 'bad_credentials');
  });
});

/** The samples of answers: what they are of, and their outcome. */
describe.each([
  ['052', 'capture', authorized(), 'approved'],
  ['053', 'cancel', authorized(), 'canceled'],
  ['054', 'refund', sale(), 'refunded'],
  ['011', 'refund', paidPix(), 'pending'],
] as const)('the sample %s of the manual', (name, operation, before, kind) => {
  describeWithOracle(`cielo/samples/${name}.json`, `as the answer to a ${operation}`, (content) => {
    it('has the expected outcome', async () => {
      const sample = content as { Links: readonly { Href: string }[] };
      // The samples name a placeholder or another sale.
      const Links = sample.Links.map((link) => ({ ...link, Href: `https://host/1/sales/${PAYMENT_ID}` }));
      const { outcome } = operate(operation, {}, ok(before), ok({ ...sample, Links }));
      expect(await outcome).toMatchObject({ kind });
    });
  });
});
