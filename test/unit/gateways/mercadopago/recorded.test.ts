import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { chargeRequest, mercadoPagoStub, ok, REFERENCE, TOKEN } from './mercadopago-stub';

const driver = new MercadoPagoDriver();

interface Recording {
  readonly http_status?: number;
  readonly body: Record<string, unknown>;
}

const inquiryAbout = (body: Record<string, unknown>) =>
  driver.inquire(mercadoPagoStub(ok({ ...body, external_reference: REFERENCE })).ctx, {
    reference: REFERENCE,
    gatewayTransactionId: String(body.id),
    sentAt: null,
  });
const found = (kind: string, amountCents: number, more: object = {}) => ({
  kind: 'found',
  outcome: { kind, amountCents, ...more },
});
const declined = (message: string) => ({ kind: 'found', outcome: { kind: 'declined', code: null, message } });
const charged = (cents: number, refundedCents = 0) => ({
  chargeState: { capturedCents: cents, refundedCents, paidCents: 0 },
});
const NO_MONEY = { chargeState: { capturedCents: 0, refundedCents: 0, paidCents: 0 } };

/** Payments that Mercado Pago really sent (2017 to 2019), as answers to an inquiry about a charge. */
const PAYMENTS: Readonly<Record<string, object>> = {
  'failed-authorize': declined('cc_rejected_other_reason'),
  'failed-purchase': declined('cc_rejected_other_reason'),
  'successful-authorize': found('authorized', 500, NO_MONEY),
  'successful-authorize-with-cabal': found('authorized', 500, NO_MONEY),
  'successful-authorize-with-capture-option': found('authorized', 500, NO_MONEY),
  'successful-authorize-with-elo': found('authorized', 500, NO_MONEY),
  'successful-authorize-with-naranja': found('authorized', 500, NO_MONEY),
  'successful-capture': found('approved', 500, charged(500)),
  'successful-capture-with-cabal': found('approved', 500, charged(500)),
  'successful-capture-with-elo': found('approved', 500, charged(500)),
  'successful-capture-with-naranja': found('approved', 500, charged(500)),
  'successful-purchase': found('approved', 500, charged(500)),
  'successful-purchase-with-cabal': found('approved', 500, charged(500)),
  'successful-purchase-with-elo': found('approved', 500, charged(500)),
  'successful-purchase-with-metadata': found('approved', 500, charged(500)),
  'successful-purchase-with-naranja': found('approved', 500, charged(500)),
  'successful-void': found('canceled', 500, NO_MONEY),
};

describe.each(Object.entries(PAYMENTS))('the recorded payment %s', (recording, expected) => {
  describeWithOracle(`recorded/mercadopago/${recording}.json`, 'as the answer to an inquiry', (content) => {
    it('has the expected outcome', async () => {
      expect(await inquiryAbout((content as Recording).body)).toMatchObject(expected);
    });
  });
});

/** Errors that Mercado Pago really sent: definite, because each body is its own. */
const ERRORS: Readonly<Record<string, string>> = {
  'failed-capture': 'Method not allowed',
  'failed-refund': 'not_found',
  'failed-void': 'Method not allowed',
};

describe.each(Object.entries(ERRORS))('the recorded error %s', (recording, code) => {
  describeWithOracle(`recorded/mercadopago/${recording}.json`, 'as the answer to a charge', (content) => {
    it('is an invalid request', async () => {
      const { http_status: status = 0, body } = content as Recording;
      const { ctx } = mercadoPagoStub(TOKEN, { status, body });
      const outcome = await driver.charge(ctx, chargeRequest()).catch((error: unknown) => error);
      expect(outcome).toMatchObject({ family: 'invalid_request', code });
    });
  });
});

const refundOf = (body: { payment_id?: unknown; amount?: unknown }) =>
  driver.refund(mercadoPagoStub({ status: 201, body }).ctx, {
    reference: `${REFERENCE}-refund`,
    gatewayTransactionId: String(body.payment_id),
    amountCents: Math.round(Number(body.amount) * 100),
    currency: 'BRL',
    splits: [],
    reason: null,
    bankAccount: null,
  });

describe.each([
  ['recorded/mercadopago/successful-refund.json', 500],
  ['mercadopago/sdk-php-mocks/payment_refund.json', 1_000],
  ['mercadopago/sdk-python-mocks/refund_create.json', 5_880],
  ['mercadopago/sdk-python-mocks/refund_get.json', 5_880],
])('the refund %s', (path, amountCents) => {
  describeWithOracle(path, 'as the answer to a refund', (content) => {
    it('is refunded', async () => {
      const body = path.startsWith('recorded') ? (content as Recording).body : (content as object);
      expect(await refundOf(body)).toMatchObject({ kind: 'refunded', amountCents });
    });
  });
});

/** The answers with which Mercado Pago tests its own SDKs. */
const MOCKS: Readonly<Record<string, object>> = {
  'sdk-php-mocks/payment_base': found('approved', 1_234, {
    ...charged(1_234),
    authorizationCode: '301299',
  }),
  // It has the data of a challenge and an amount, and was canceled.
  'sdk-php-mocks/payment_cancelled': { kind: 'found', outcome: { kind: 'canceled' } },
  'sdk-php-mocks/payment_captured': { kind: 'found', outcome: { kind: 'canceled' } },
  // A card payment that is pending has no result.
  'sdk-python-mocks/payment_create': { kind: 'inconclusive' },
  'sdk-python-mocks/payment_get': found('approved', 5_880, charged(5_880)),
};

describe.each(Object.entries(MOCKS))('the answer %s', (mock, expected) => {
  describeWithOracle(`mercadopago/${mock}.json`, 'to an inquiry', (content) => {
    it('has the expected outcome', async () => {
      expect(await inquiryAbout(content as Record<string, unknown>)).toMatchObject(expected);
    });
  });
});

describeWithOracle('mercadopago/sdk-php-mocks/payment_search.json', 'the payments of a search', (content) => {
  const { results } = content as { results: Record<string, unknown>[] };

  it('each have the expected outcome', async () => {
    const outcomes = await Promise.all(results.map(inquiryAbout));
    const expired = found('canceled', 10_000, { responseMessage: 'expired' });
    const expected = [expired, expired, found('approved', 10_000, charged(10_000, 100)), expired, expired];
    expect(outcomes).toMatchObject(expected);
  });

  it('are searched by our reference', async () => {
    const [, second] = results;
    const reference = String(second?.external_reference);
    const page = { ...(content as object), paging: { total: results.length } };
    const stub = mercadoPagoStub(ok(page), ok(second));
    const subject = { reference, gatewayTransactionId: null, sentAt: null };
    expect(await driver.inquire(stub.ctx, subject)).toMatchObject({ kind: 'found' });
    expect(stub.paths()).toEqual(['GET payments/search', `GET payments/${String(second?.id)}`]);
  });
});

describe.each(['sdk-php-mocks/payment_refund_list', 'sdk-python-mocks/refund_list_all'])(
  'the list %s',
  (mock) => {
    describeWithOracle(`mercadopago/${mock}.json`, 'of refunds', (content) => {
      it('tells of a refund by its amount', async () => {
        const [first] = content as { payment_id: number; amount: number }[];
        const payment = { ...APPROVED, id: first?.payment_id };
        const subject = {
          reference: `${REFERENCE}-refund`,
          gatewayTransactionId: String(first?.payment_id),
          sentAt: null,
        };
        const inquire = (amountCents: number) =>
          driver.inquire(mercadoPagoStub(ok(payment), ok(content)).ctx, {
            ...subject,
            refund: { amountCents, others: [] },
          });
        expect(await inquire(Math.round((first?.amount ?? 0) * 100))).toMatchObject({
          outcome: { kind: 'refunded' },
        });
        expect(await inquire(1)).toEqual({ kind: 'not_found' });
      });
    });
  },
);

describeWithOracle(
  'recorded/mercadopago/successful-search-payments.json',
  'the recorded search',
  (content) => {
    it('proves nothing, because it has more payments than the page', async () => {
      const [page] = (content as { body: readonly object[] }).body;
      const subject = { reference: REFERENCE, gatewayTransactionId: null, sentAt: null };
      expect(await driver.inquire(mercadoPagoStub(ok(page)).ctx, subject)).toMatchObject({
        kind: 'inconclusive',
      });
    });
  },
);

describe.each(['sdk-php-mocks/card_token_get', 'sdk-python-mocks/card_token_create'])(
  'the token %s',
  (mock) => {
    describeWithOracle(`mercadopago/${mock}.json`, 'of a card', (content) => {
      it('pays', async () => {
        const stub = mercadoPagoStub({ status: 201, body: content }, ok({ ...APPROVED, id: 1 }));
        const outcome = await driver.charge(stub.ctx, chargeRequest({ amountCents: 10_000 }));
        expect(outcome.kind).toBe('approved');
        expect(stub.body(1).token).toBe((content as { id: string }).id);
      });
    });
  },
);

const APPROVED = {
  status: 'approved',
  payment_method_id: 'visa',
  payment_type_id: 'credit_card',
  currency_id: 'BRL',
  transaction_amount: 100,
  external_reference: REFERENCE,
};
