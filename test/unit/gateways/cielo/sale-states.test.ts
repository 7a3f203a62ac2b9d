import { CieloDriver } from '../../../../src/gateways/cielo/driver';
import { SALE_STATUSES } from '../../../../src/gateways/cielo/wire';
import type { InquiryResult } from '../../../../src/gateways/gateway';
import { boleto, cieloStub, ok, PAYMENT_ID, pix, REFERENCE, sale } from './cielo-stub';

const driver = new CieloDriver();
const inquire = (body: object) =>
  driver.inquire(cieloStub(ok(body)).ctx, {
    reference: REFERENCE,
    gatewayTransactionId: PAYMENT_ID,
    sentAt: null,
  });
const summary = (result: InquiryResult): string => {
  if (result.kind !== 'found') return 'unknown';
  if (result.outcome.kind === 'declined') return `declined ${result.outcome.code}`;
  const { kind, chargeState } = result.outcome;
  return `${kind} ${chargeState?.capturedCents} ${chargeState?.refundedCents} ${chargeState?.paidCents}`;
};

const NONE = 'unknown';
/** For each state, what an inquiry finds about a card that was not captured, one that was, a pix and a boleto: kind, captured, refunded and paid cents. */
const ROWS: Readonly<
  Record<
    (typeof SALE_STATUSES)[number],
    readonly [card: string, captured: string, pix: string, boleto: string]
  >
> = {
  0: [NONE, NONE, NONE, NONE],
  1: ['authorized 0 0 0', 'authorized 0 0 0', NONE, 'pending 0 0 0'],
  2: ['approved 12990 0 0', 'approved 12990 0 0', 'approved 12990 0 12990', 'approved 12990 0 12990'],
  3: ['declined 05', 'declined 05', NONE, NONE],
  10: ['canceled 0 0 0', 'refunded 12990 12990 0', 'canceled 0 0 0', 'canceled 0 0 0'],
  11: [
    'refunded 12990 12990 0',
    'refunded 12990 12990 0',
    'refunded 12990 12990 12990',
    'refunded 12990 12990 12990',
  ],
  12: [NONE, 'approved 12990 0 0', 'pending 0 0 0', NONE],
  13: ['declined 05', 'declined 05', NONE, NONE],
  20: [NONE, NONE, NONE, NONE],
};

describe('a sale', () => {
  it.each(SALE_STATUSES)('with the status %d has the outcomes of its row', async (Status) => {
    const [card, captured, unpaid, slip] = ROWS[Status];
    const declined = { Status, ReturnCode: '05' };
    expect(summary(await inquire(sale({ ...declined, CapturedAmount: undefined })))).toBe(card);
    expect(summary(await inquire(sale(declined)))).toBe(captured);
    expect(summary(await inquire(pix({ Status })))).toBe(unpaid);
    expect(summary(await inquire(boleto({ Status, ReturnCode: '05' })))).toBe(slip);
  });

  it.each<[string, object]>([
    ['unknown', { Status: 4 }],
    ['unknown', { Status: '2' }],
    ['unknown', { Type: 'DebitCard' }],
    ['unknown', { Status: 13, ReturnCode: 'BP900' }],
    ['unknown', { Status: 13, ReturnCode: null }],
    ['approved 12990 4000 0', { VoidedAmount: 4_000 }],
    ['refunded 12990 12990 0', { VoidedAmount: 12_990 }],
    ['approved 9000 0 0', { CapturedAmount: 9_000 }],
    ['refunded 9000 9000 0', { CapturedAmount: 9_000, VoidedAmount: 9_000, Status: 11 }],
  ])('is %s with %j', async (expected, changes) => {
    expect(summary(await inquire(sale(changes)))).toBe(expected);
  });

  it('that is declined has the issuer’s code of two characters, and the network’s advice of two digits', async () => {
    const outcomeOf = async (changes: object) => {
      const result = await inquire(sale({ Status: 3, ReturnMessage: 'Nao autorizada', ...changes }));
      return result.kind === 'found' ? result.outcome : null;
    };
    expect(await outcomeOf({ ReturnCode: '5', MerchantAdviceCode: '1' })).toMatchObject({
      kind: 'declined',
      code: '05',
      adviceCode: '01',
      message: 'Nao autorizada',
      gatewayTransactionId: PAYMENT_ID,
    });
    expect(await outcomeOf({ ReturnCode: 51, MerchantAdviceCode: 24 })).toMatchObject({
      code: '51',
      adviceCode: '24',
    });
    expect(await outcomeOf({ ReturnCode: '100' })).toMatchObject({ code: '100', adviceCode: null });
    for (const ReturnCode of ['BP900', null, '', '6'])
      expect(await outcomeOf({ ReturnCode })).toMatchObject({ code: null, declineClass: 'soft' });
  });

  it.each([
    ['99', 'soft'],
    ['BP 171', 'fraud'],
    ['AI', 'auth_required'],
    ['KA', 'hard'],
  ])(
    'that is declined with Cielo’s own code %s has its class, and not the issuer’s code',
    async (ReturnCode, declineClass) => {
      for (const Status of [3, 13])
        expect(await inquire(sale({ Status, ReturnCode, ReturnMessage: 'Recusada' }))).toMatchObject({
          outcome: {
            kind: 'declined',
            code: null,
            declineClass,
            message: `${ReturnCode.replace(' ', '')}: Recusada`,
          },
        });
    },
  );

  it('of a pix expires two hours after Cielo received it, by the clock of Brasília', async () => {
    expect(await inquire(pix())).toMatchObject({
      outcome: { pix: { qrCode: '000201pix', expiresAt: '2026-06-10T17:00:00.000Z', endToEndId: null } },
    });
  });
});
