import type { ChargeInitiation } from '../../../../src/domain/shared/charge-initiation';
import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import {
  ADDRESS,
  BILLET,
  BILLET_REQUEST,
  chargeRequest,
  created,
  mercadoPagoStub,
  payment,
  PIX,
  PIX_REQUEST,
  REFERENCE,
  TOKEN,
} from './mercadopago-stub';

const driver = new MercadoPagoDriver();
const cardBodies = async (changes: Parameters<typeof chargeRequest>[0] = {}) => {
  const request = chargeRequest(changes);
  const answer = created(payment({ transaction_amount: request.amountCents / 100 }));
  const stub = mercadoPagoStub(TOKEN, answer);
  await driver.charge(stub.ctx, request);
  return { token: stub.body(0), payment: stub.body(1), text: stub.sent[1]?.body ?? '' };
};

describe('the request of a card', () => {
  it('creates a token of the card, with the document of the payer', async () => {
    expect((await cardBodies()).token).toEqual({
      card_number: '5031433215406351',
      expiration_month: 3,
      expiration_year: 2030,
      security_code: '123',
      cardholder: { name: 'ANA LIMA', identification: { type: 'CPF', number: '52998224725' } },
    });
    const customer = { name: 'Loja', email: 'loja@example.com', document: '11222333000181' };
    expect((await cardBodies({ customer })).token).toMatchObject({
      cardholder: { identification: { type: 'CNPJ', number: '11222333000181' } },
    });
  });

  it('has nothing of the card but the token, switches 3-D Secure off and wants an answer at once', async () => {
    const { payment: body, text } = await cardBodies({ installments: 3 });
    expect(body).toEqual({
      transaction_amount: 129.9,
      external_reference: REFERENCE,
      description: 'Camiseta azul',
      token: 'a78sd6f1a9s8d7f1a',
      installments: 3,
      payment_method_id: 'master',
      capture: true,
      binary_mode: true,
      three_d_secure_mode: 'not_supported',
      payer: {
        email: 'ana@example.com',
        first_name: 'Ana',
        last_name: 'Lima',
        identification: { type: 'CPF', number: '52998224725' },
      },
      additional_info: {
        ip_address: '203.0.113.7',
        payer: { phone: { area_code: '11', number: '912345678' } },
        items: [{ id: '1', title: 'Camiseta azul P', quantity: 2, unit_price: 64.95 }],
      },
    });
    expect(text).not.toMatch(/5031433215406351|"123"/);
  });

  it('does not capture an authorization', async () => {
    const stub = mercadoPagoStub(TOKEN, created(payment({ status: 'authorized' })));
    expect(await driver.authorize(stub.ctx, chargeRequest())).toMatchObject({ kind: 'authorized' });
    expect(stub.body(1)).toMatchObject({ capture: false });
  });

  it.each([
    [1, '0.01'],
    [10, '0.1'],
    [100, '1'],
    [12_990, '129.9'],
    [1_998, '19.98'],
    [999_999_999_999, '9999999999.99'],
  ])('has the digits of %i cents: %s', async (amountCents, digits) => {
    expect((await cardBodies({ amountCents })).text).toContain(`"transaction_amount":${digits},`);
  });

  it.each([
    ['visa', 'visa'],
    ['mastercard', 'master'],
    ['elo', 'elo'],
    ['amex', 'amex'],
    ['hipercard', 'hipercard'],
    ['discover', undefined],
  ])('names the payment method of %s, or lets Mercado Pago infer it', async (brand, expected) => {
    const { card } = chargeRequest();
    const { payment: body } = await cardBodies({ card: card && { ...card, brand } });
    expect(body.payment_method_id).toBe(expected);
  });

  it.each([
    [null, undefined],
    ['Ateliê da Ana', 'Atelie da Ana'],
    ['漢字', undefined],
    ['A very long descriptor of a shop', 'A very long descriptor'],
  ])('has of the soft descriptor %j what a statement can show', async (softDescriptor, expected) => {
    expect((await cardBodies({ softDescriptor })).payment.statement_descriptor).toBe(expected);
  });

  const networkIds = { transactionId: '999', transactionLinkId: 'link', eloReference: 'elo' };
  it.each<[ChargeInitiation, object | undefined]>([
    [{ initiator: 'customer', reason: 'one_off' }, undefined],
    [
      { initiator: 'customer', reason: 'first_saved' },
      { first_transaction: true, transaction_initiator: 'customer', storage: 'store' },
    ],
    [
      { initiator: 'customer', reason: 'first_recurring' },
      { first_transaction: true, transaction_initiator: 'customer', storage: 'store' },
    ],
    [
      { initiator: 'customer', reason: 'saved_card' },
      { transaction_initiator: 'customer', storage: 'stored' },
    ],
    [
      { initiator: 'merchant', reason: 'recurring', networkIds },
      {
        transaction_initiator: 'merchant',
        storage: 'stored',
        network_data: { transaction_id: '999', transaction_link_id: 'link' },
      },
    ],
    [
      { initiator: 'merchant', reason: 'unscheduled', networkIds: null },
      { transaction_initiator: 'merchant', storage: 'stored' },
    ],
  ])('tells who initiates it and whether the card is saved: %j', async (initiation, data) => {
    const { payment: body } = await cardBodies({ initiation });
    expect(body.point_of_interaction).toEqual(data && { type: 'CREDENTIAL_ON_FILE', transaction_data: data });
    expect(body.forward_data).toEqual(
      initiation.reason === 'recurring'
        ? { network_transaction_data: { network_transaction_id: '999' } }
        : undefined,
    );
  });
});

describe('the request of a pix', () => {
  it('has the instant at which it expires', async () => {
    const stub = mercadoPagoStub(created(payment(PIX)));
    expect(await driver.charge(stub.ctx, chargeRequest(PIX_REQUEST))).toMatchObject({ kind: 'pending' });
    expect(stub.body(0)).toMatchObject({
      transaction_amount: 129.9,
      payment_method_id: 'pix',
      date_of_expiration: '2100-01-02T03:04:05.678+00:00',
    });
    expect(stub.body(0)).not.toHaveProperty('token');
  });

  it('is not sent if less than the half hour is left that Mercado Pago demands', async () => {
    const stub = mercadoPagoStub(created(payment(PIX)));
    const expiresAt = new Date(Date.now() + 29 * 60_000).toISOString();
    const request = chargeRequest({ ...PIX_REQUEST, pix: { ...PIX_REQUEST.pix, expiresAt } });
    await expect(driver.charge(stub.ctx, request)).rejects.toMatchObject({ family: 'unsupported' });
    expect(stub.sent).toEqual([]);
  });

  it('says which feature the account lacks if it has no pix key', async () => {
    const body = {
      message: 'Collector user without key enabled for QR render',
      error: 'bad_request',
      status: 400,
    };
    const cause = [{ code: 13_253, description: 'Collector user without key enabled for QR render' }];
    const stub = mercadoPagoStub({ status: 400, body: { ...body, cause } });
    await expect(driver.charge(stub.ctx, chargeRequest(PIX_REQUEST))).rejects.toMatchObject({
      family: 'unsupported',
      lacks: 'pix',
      code: '13253',
    });
  });
});

describe('the request of a boleto', () => {
  it('is due at the end of the day in Brasília, and has the names and the address of the payer', async () => {
    const stub = mercadoPagoStub(created(payment(BILLET)));
    const customer = { name: 'Madonna', email: 'm@example.com', document: '52998224725' };
    expect(await driver.charge(stub.ctx, chargeRequest({ ...BILLET_REQUEST, customer }))).toMatchObject({
      kind: 'pending',
      billet: { dueAt: '2030-03-05' },
    });
    expect(stub.body(0)).toMatchObject({
      payment_method_id: 'bolbradesco',
      date_of_expiration: '2030-03-05T23:59:59.000-03:00',
      payer: {
        first_name: 'Madonna',
        last_name: 'Madonna',
        address: {
          zip_code: '50000000',
          street_name: 'Rua A',
          street_number: '1',
          neighborhood: 'Centro',
          city: 'Recife',
          federal_unit: 'PE',
        },
      },
    });
  });

  it('needs an address', async () => {
    const stub = mercadoPagoStub(created(payment(BILLET)));
    const request = chargeRequest({ ...BILLET_REQUEST, billingAddress: null });
    await expect(driver.charge(stub.ctx, request)).rejects.toMatchObject({ family: 'unsupported' });
    expect([stub.sent, driver.capabilities().requires]).toEqual([[], { billet: ['billing_address'] }]);
    expect(ADDRESS.city).toBe('Recife');
  });
});
