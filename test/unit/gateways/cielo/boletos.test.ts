import { getBoletoInfo } from '@brazilian-utils/brazilian-utils/get-boleto-info';
import { CieloDriver } from '../../../../src/gateways/cielo/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import {
  billetRequest,
  boleto,
  cieloStub,
  created,
  error,
  followUp,
  ok,
  ORDER_ID,
  PAYMENT_ID,
  unknownFields,
  type StubAnswer,
} from './cielo-stub';

const driver = new CieloDriver();
const WITH_BANK = { boleto_provider: 'Bradesco2' };

function issue(
  request = billetRequest(),
  credentials: object = WITH_BANK,
  ...answers: readonly StubAnswer[]
) {
  const stub = cieloStub(...(answers.length > 0 ? answers : [created(boleto())]));
  const ctx = { ...stub.ctx, credentials: credentials as Record<string, string> };
  return { stub, outcome: driver.charge(ctx, request).catch((thrown: unknown) => thrown) };
}

describe('a boleto', () => {
  it('is issued by the company’s bank for a payer with an address, in the lengths that Bradesco takes', async () => {
    const request = billetRequest({ customer: { ...billetRequest().customer, name: 'A'.repeat(40) } });
    const { stub, outcome } = issue(request);
    expect(await outcome).toMatchObject({ kind: 'pending', paidAmountCents: 0, pix: null });
    expect(stub.paths()).toEqual(['POST api sales/']);
    expect(stub.body(0)).toEqual({
      MerchantOrderId: ORDER_ID,
      Customer: {
        Name: 'A'.repeat(34),
        Identity: '52998224725',
        IdentityType: 'CPF',
        Email: 'ana@example.com',
        Address: {
          Street: 'Rua das Flores',
          Number: '10',
          District: 'Centro',
          City: 'São Paulo',
          State: 'SP',
          ZipCode: '01001000',
          Country: 'BRA',
        },
      },
      Payment: {
        Type: 'Boleto',
        Provider: 'Bradesco2',
        Amount: 12_990,
        ExpirationDate: '2026-06-13',
        Instructions: 'Até o vencimento',
      },
    });
    expect(ORDER_ID.length).toBeLessThanOrEqual(27);
  });

  it('without a line in the answer has the line of its barcode', async () => {
    const line = (changes: object) =>
      issue(billetRequest(), WITH_BANK, created(boleto(changes))).outcome.then(
        (outcome) => (outcome as { billet: { line: string } }).billet.line,
      );
    expect(await line({ DigitableLine: undefined })).toBe(await line({}));
  });

  it.each<[string, object]>([
    ['its code', { DigitableLine: undefined, BarCodeNumber: undefined }],
    ['a state', { Status: 0 }],
    ['its result', { Status: 13, ReturnCode: '99' }],
  ])('that Cielo answers without %s is an unknown outcome', async (_, changes) => {
    const { outcome } = issue(billetRequest(), WITH_BANK, created(boleto(changes)));
    expect(await outcome).toMatchObject({ family: 'ambiguous' });
  });

  it('of a company whose credentials name no bank is learned as a missing feature, and nothing is sent', async () => {
    const { stub, outcome } = issue(billetRequest(), {});
    expect(await outcome).toMatchObject({ family: 'unsupported', lacks: 'billet' });
    expect(stub.sent).toHaveLength(0);
  });

  it.each([129, 133, 172, 173, 215])(
    'refused with %d, because Cielo lacks the bank’s data, is learned as a missing feature',
    async (code) => {
      const { outcome } = issue(billetRequest(), WITH_BANK, error(400, code));
      expect(await outcome).toMatchObject({ family: 'unsupported', lacks: 'billet' });
    },
  );

  it('is not refunded', async () => {
    const { ctx, sent } = cieloStub(ok(boleto({ Status: 2, CapturedAmount: 12_990 })));
    await expect(driver.refund(ctx, followUp())).rejects.toMatchObject({ family: 'unsupported' });
    expect(sent).toHaveLength(1);
  });
});

describe('the credentials of Cielo', () => {
  it('name no bank whose paid boletos Cielo does not learn of', () => {
    const field = driver.credentialFields.find(({ name }) => name === 'boleto_provider');
    for (const [provider, isRight] of [
      ['Bradesco2', true],
      ['Simulado', true],
      ['BancoDoBrasil3', false],
    ] as const)
      expect(field?.shape?.pattern.test(provider)).toBe(isRight);
  });
});

describeWithOracle('cielo/samples/012.json', 'the sample of a boleto', (full) => {
  it('has every field of a boleto, with its type', async () => {
    const { stub, outcome } = issue();
    await outcome;
    // These are fields of any sale.
    expect(unknownFields(stub.body(0), full)).toEqual([
      'Customer.IdentityType is unknown',
      'Customer.Email is unknown',
    ]);
  });
});

describeWithOracle('cielo/samples/013.json', 'the sample of the answer to a boleto', (content) => {
  it('is a pending boleto with the line of its barcode', async () => {
    const { Payment } = content as { Payment: { Amount: number } };
    const request = billetRequest({ amountCents: Payment.Amount });
    const { outcome } = issue(request, WITH_BANK, created({ MerchantOrderId: ORDER_ID, Payment }));
    const { billet } = (await outcome) as { billet: { line: string; barcode: string; dueAt: string } };
    expect(billet.barcode).toMatch(/^\d{44}$/);
    expect(billet.dueAt).toBe('2015-01-05');
    expect(getBoletoInfo(billet.line)?.amount).toBe(Payment.Amount);
  });
});

describe('an unpaid boleto', () => {
  it('stays pending after its due date, as Cielo has no state for it', async () => {
    const { ctx } = cieloStub(ok(boleto({ ExpirationDate: '2020-01-01' })));
    const subject = { reference: billetRequest().reference, gatewayTransactionId: PAYMENT_ID, sentAt: null };
    expect(await driver.inquire(ctx, subject)).toMatchObject({
      outcome: { kind: 'pending', chargeState: { status: 'pending', paidCents: 0 } },
    });
  });
});
