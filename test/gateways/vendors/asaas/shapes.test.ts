import {
  accountBody,
  customerBody,
  paymentBody,
  refundBody,
  tokenizeBody,
} from '../../../../src/simulator/vendors/asaas/parameters';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { AsaasBench, AsaasPayment, CARDS } from './asaas-bench';
import { type OpenApi, OpenApiCheck, shapeDifferences } from '../open-api-check';

let bench: AsaasBench;
beforeAll(async () => {
  bench = await AsaasBench.start();
});
afterAll(() => bench.stop());

const newPayment = () => new AsaasPayment(bench);

/** In recorded answers, but not in the SDK: see the recordings below and README of the vendor's webhooks. */
const NOT_IN_SDK = new Set([
  ...['confirmedDate', 'lastInvoiceViewedDate', 'lastBankSlipViewedDate'],
  ...['discount.limitDate', 'fine.type', 'interest.type', 'status is "AUTHORIZED"'],
]);

type Schemas = OpenApi['components']['schemas'];

describeWithOracle('asaas/asaas-sdk-models.schema.json', 'the models of Asaas’ SDK', (content) => {
  const { $defs: schemas } = content as { readonly $defs: Schemas };
  const check = new OpenApiCheck({ components: { schemas } });
  /** The SDK's models have no nulls, which recorded answers have. */
  const problems = (value: unknown, model: string): string[] =>
    check
      .problems(value, model)
      .filter((each) => !each.endsWith(' is null'))
      .filter((each) => ![...NOT_IN_SDK].some((known) => each.startsWith(`${model}.${known}`)));

  it('know every field of payments in all states, with its type', async () => {
    const [card, authorized, pix, boleto] = [newPayment(), newPayment(), newPayment(), newPayment()];
    const paid = await card.pay(CARDS.approved, { installmentCount: 2, totalValue: 100 });
    const refunded = await newPayment().pay();
    const shown = [
      paid,
      await authorized.pay(CARDS.approved, { authorizeOnly: true }),
      await bench.post(`payments/${refunded.body.id}/refund`, { value: 1 }),
      await pix.create('PIX'),
      await pix.paid('PIX'),
      await boleto.create('BOLETO'),
    ];
    expect(shown.flatMap(({ body }) => problems(body, 'PaymentGetResponseDto'))).toEqual([]);
    const { body: list } = await bench.get('payments?limit=1');
    expect(problems({ ...list, data: [] }, 'PaymentListResponseDto')).toEqual([]);
    const installment = await bench.get(`installments/${paid.body.installment}`);
    expect(problems(installment.body, 'InstallmentGetResponseDto')).toEqual([]);
    const refunds = await bench.get(`payments/${refunded.body.id}/refunds`);
    expect(problems(refunds.body, 'PaymentRefundListResponseDto')).toEqual([]);
  });

  it('know every field of the codes, the customer, the subaccount, its status and errors', async () => {
    const [pix, boleto] = [newPayment(), newPayment()];
    const [pixId, boletoId] = [(await pix.create('PIX')).body.id, (await boleto.paid('BOLETO')).body.id];
    const paid = (await pix.paid('PIX')).body as unknown as { readonly pixTransaction: string };
    const reads = [
      [`payments/${pixId}/pixQrCode`, 'PaymentPixQrCodeResponseDto'],
      [`payments/${boletoId}/identificationField`, 'PaymentIdentificationFieldResponseDto'],
      [`pix/transactions/${paid.pixTransaction}`, 'PixTransactionGetResponseDto'],
      [`customers/${await bench.customer()}`, 'CustomerGetResponseDto'],
      ['myAccount/status', 'MyAccountGetStatusResponseDto'],
      ['wallets', 'WalletShowResponseDto'],
      ['finance/balance', 'FinanceBalanceResponseDto'],
      ['payments?limit=1000', 'ErrorResponseDto'],
    ] as const;
    for (const [path, model] of reads) expect(problems((await bench.get(path)).body, model)).toEqual([]);
    const refund = await bench.post(`payments/${boletoId}/bankSlip/refund`, {});
    expect(problems(refund.body, 'PaymentBankSlipRefundResponseDto')).toEqual([]);
  });

  it.each([
    ['PaymentSaveWithCreditCardRequestDto', paymentBody, []],
    ['CustomerSaveRequestDto', customerBody, []],
    ['CreditCardTokenizeRequestDto', tokenizeBody, []],
    ['AccountSaveRequestDto', accountBody, []],
    // Of the page of the API.
    ['PaymentRefundRequestDto', refundBody, ['splitRefunds']],
  ] as const)('name the fields that the fake takes: %s', (model, body, added) => {
    const known = Object.keys(schemas[model]?.properties ?? {});
    expect(Object.keys(body.shape).toSorted()).toEqual([...known, ...added].toSorted());
  });
});

describeWithOracle('recorded/asaas/card-approved.json', 'the recorded payment', (content) => {
  it('has the keys, types and net value of the fake’s', async () => {
    const { body } = content as { readonly body: { readonly netValue: number; readonly status: string } };
    const own = (await newPayment().pay()).body;
    expect(shapeDifferences(body, own, new Set())).toEqual([]);
    expect(own).toMatchObject({ netValue: body.netValue, status: body.status });
  });
});

describeWithOracle('recorded/asaas/card-declined.json', 'the recorded decline', (content) => {
  it('is the fake’s answer to the same card numbers', async () => {
    const { http_status, body, card_numbers } = content as {
      readonly http_status: number;
      readonly body: object;
      readonly card_numbers: readonly string[];
    };
    for (const number of card_numbers)
      expect(await newPayment().pay(number)).toMatchObject({ status: http_status, body });
  });
});

describeWithOracle('recorded/asaas/payment-empty-body.json', 'the recorded error', (content) => {
  it('is the fake’s answer to a payment without fields', async () => {
    const { http_status, body } = content as { readonly http_status: number; readonly body: object };
    expect(await bench.post('payments', {})).toMatchObject({ status: http_status, body });
  });
});

describeWithOracle('asaas/webhook-payment.json', 'the webhook sample', (content) => {
  it('has the keys of the fake’s, whose payment is of another kind', async () => {
    const payment = newPayment();
    await payment.pay();
    const [webhook] = await bench.events(payment.reference, 1);
    const ofItsKind = [
      'subscription',
      'installment',
      'custody',
      'split',
      'chargeback',
      'escrow',
      'checkoutSession',
    ];
    const versions = ['limitedDate', 'limitDate', 'dateCreated'];
    expect(shapeDifferences(content, webhook?.event, new Set([...ofItsKind, ...versions]))).toEqual([]);
  });
});
