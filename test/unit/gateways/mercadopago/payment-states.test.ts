import { MercadoPagoDriver } from '../../../../src/gateways/mercadopago/driver';
import { PAYMENT_STATUSES } from '../../../../src/gateways/mercadopago/wire';
import { BILLET, mercadoPagoStub, ok, payment, PIX, REFERENCE } from './mercadopago-stub';

const driver = new MercadoPagoDriver();
/** Without a chargeback, which is searched for if the payment is charged back. */
const inquire = (object: object) =>
  driver.inquire(mercadoPagoStub(ok(object), ok({ results: [] })).ctx, {
    reference: REFERENCE,
    gatewayTransactionId: '1',
    sentAt: null,
  });
const METHODS = { card: {}, pix: PIX, billet: BILLET } as const;
type Method = keyof typeof METHODS;

const inquired = async (method: Method, changes: object): Promise<string> => {
  const result = await inquire(payment({ ...METHODS[method], ...changes }));
  if (result.kind !== 'found') return result.kind;
  const { outcome } = result;
  if (outcome.kind === 'declined') return `declined ${outcome.code ?? outcome.declineClass}`;
  const { status = '', capturedCents, refundedCents, paidCents } = outcome.chargeState ?? {};
  return [
    outcome.kind,
    ...(status === outcome.kind ? [] : [status]),
    capturedCents,
    refundedCents,
    paidCents,
  ].join(' ');
};

/** Kind, the charge's status if it is another, and the captured, refunded and paid cents. */
const STATES: ReadonlyArray<readonly [status: string, detail: string, Readonly<Record<Method, string>>]> = [
  [
    'approved',
    'accredited',
    { card: 'approved 12990 0 0', pix: 'approved 12990 0 12990', billet: 'approved 12990 0 12990' },
  ],
  [
    'approved',
    'partially_refunded',
    { card: 'approved 12990 0 0', pix: 'approved 12990 0 12990', billet: 'approved 12990 0 12990' },
  ],
  [
    'in_mediation',
    'pending',
    { card: 'approved 12990 0 0', pix: 'approved 12990 0 12990', billet: 'approved 12990 0 12990' },
  ],
  [
    'charged_back',
    'settled',
    { card: 'approved 12990 0 0', pix: 'approved 12990 0 12990', billet: 'approved 12990 0 12990' },
  ],
  [
    'charged_back',
    'reimbursed',
    { card: 'approved 12990 0 0', pix: 'approved 12990 0 12990', billet: 'approved 12990 0 12990' },
  ],
  [
    'charged_back',
    'in_process',
    { card: 'approved 12990 0 0', pix: 'approved 12990 0 12990', billet: 'approved 12990 0 12990' },
  ],
  [
    'refunded',
    'refunded',
    {
      card: 'refunded 12990 12990 0',
      pix: 'refunded 12990 12990 12990',
      billet: 'refunded 12990 12990 12990',
    },
  ],
  [
    'authorized',
    'pending_capture',
    { card: 'authorized 0 0 0', pix: 'inconclusive', billet: 'inconclusive' },
  ],
  [
    'cancelled',
    'expired',
    { card: 'canceled expired 0 0 0', pix: 'canceled expired 0 0 0', billet: 'canceled expired 0 0 0' },
  ],
  ['cancelled', 'by_collector', { card: 'canceled 0 0 0', pix: 'canceled 0 0 0', billet: 'canceled 0 0 0' }],
  ['cancelled', 'by_payer', { card: 'canceled 0 0 0', pix: 'canceled 0 0 0', billet: 'canceled 0 0 0' }],
  [
    'pending',
    'pending_challenge',
    { card: 'declined auth_required', pix: 'pending 0 0 0', billet: 'pending 0 0 0' },
  ],
  [
    'pending',
    'pending_waiting_payment',
    { card: 'inconclusive', pix: 'pending 0 0 0', billet: 'pending 0 0 0' },
  ],
  [
    'pending',
    'pending_waiting_transfer',
    { card: 'inconclusive', pix: 'pending 0 0 0', billet: 'pending 0 0 0' },
  ],
  ['in_process', 'offline_process', { card: 'inconclusive', pix: 'pending 0 0 0', billet: 'pending 0 0 0' }],
  [
    'in_process',
    'pending_contingency',
    { card: 'inconclusive', pix: 'pending 0 0 0', billet: 'pending 0 0 0' },
  ],
  [
    'in_process',
    'pending_review_manual',
    { card: 'inconclusive', pix: 'pending 0 0 0', billet: 'pending 0 0 0' },
  ],
  ['in_process', 'deferred_retry', { card: 'inconclusive', pix: 'pending 0 0 0', billet: 'pending 0 0 0' }],
  [
    'rejected',
    'cc_rejected_other_reason',
    { card: 'declined soft', pix: 'declined soft', billet: 'declined soft' },
  ],
  ['rejected', 'bank_error', { card: 'declined soft', pix: 'declined soft', billet: 'declined soft' }],
];

describe('a payment of Mercado Pago', () => {
  it.each(STATES)('that is %s (%s) has the outcome of its row', async (status, detail, expected) => {
    const outcomes = await Promise.all(
      (Object.keys(METHODS) as Method[]).map(async (method) => [
        method,
        await inquired(method, { status, status_detail: detail }),
      ]),
    );
    expect(Object.fromEntries(outcomes)).toEqual(expected);
  });

  it('has a row for each status, and proves nothing with any other', async () => {
    expect(new Set(STATES.map(([status]) => status))).toEqual(new Set(PAYMENT_STATUSES));
    expect(await inquired('card', { status: 'settling' })).toBe('inconclusive');
  });

  it('proves nothing if its method is none of the driver’s', async () => {
    expect(
      await inquired('card', { payment_type_id: 'account_money', payment_method_id: 'account_money' }),
    ).toBe('inconclusive');
  });

  it('that was canceled after its card asked for a challenge never was a charge', async () => {
    const challenged = { status: 'cancelled', status_detail: 'by_collector', three_ds_info: { creq: 'x' } };
    expect(await inquired('card', challenged)).toBe('declined auth_required');
  });

  it.each(['pix', 'billet'] as const)(
    'by %s without its code is not known to be payable yet',
    async (method) => {
      const without = { point_of_interaction: null, transaction_details: null };
      expect(await inquired(method, without)).toBe('inconclusive');
      expect(await inquired(method, { ...without, status: 'cancelled' })).toBe('canceled 0 0 0');
    },
  );

  it('tells what went back: its refunds that are done, or its own sum without those that are not', async () => {
    const refund = (amount: number, status: string) => ({ id: 7, payment_id: 1, amount, status });
    const refunds = [refund(10, 'approved'), refund(20, 'in_process'), refund(40, 'rejected')];
    expect(await inquired('card', { refunds, transaction_amount_refunded: 10 })).toBe(
      'approved 12990 1000 0',
    );
    expect(await inquired('card', { refunds, transaction_amount_refunded: 30 })).toBe(
      'approved 12990 1000 0',
    );
    expect(await inquired('card', { refunds, transaction_amount_refunded: 35.5 })).toBe(
      'approved 12990 1550 0',
    );
    const whole = [refund(129.9, 'approved')];
    expect(await inquired('card', { refunds: whole })).toBe('refunded 12990 12990 0');
  });

  it('tells the issuer’s code, the network’s ids and until when it can be captured', async () => {
    const network_data = { transaction_id: '111', transaction_link_id: 'link' };
    expect(await inquire(payment())).toMatchObject({
      outcome: { authorizationCode: '301299', networkIds: { transactionId: '999', transactionLinkId: null } },
    });
    const expanded = { gateway: { reference: { network_transaction_id: '999', network_data } } };
    for (const object of [
      { expanded },
      { expanded: null, point_of_interaction: { transaction_data: { network_data } } },
    ]) {
      expect(await inquire(payment(object))).toMatchObject({
        outcome: { networkIds: { transactionId: '111', transactionLinkId: 'link', eloReference: null } },
      });
    }
    expect(await inquire(payment({ status: 'authorized', expanded: null }))).toMatchObject({
      outcome: { networkIds: null, captureBefore: '2030-01-15T14:10:10.000Z' },
    });
  });

  it('by pix has its code and, once it is paid, its end-to-end id', async () => {
    const id = `E18236120${'203001111410'}s0512345678`;
    expect(await inquire(payment(PIX))).toMatchObject({
      outcome: { pix: { qrCode: '00020126', expiresAt: '2030-01-11T14:10:10.000Z', endToEndId: null } },
    });
    const paid = { ...PIX, status: 'approved', point_of_interaction: { transaction_data: { e2e_id: id } } };
    expect(await inquire(payment(paid))).toMatchObject({ outcome: { pix: { endToEndId: id } } });
    const prefixed = {
      ...paid,
      point_of_interaction: null,
      transaction_details: { transaction_id: `PIX${id}` },
    };
    expect(await inquire(payment(prefixed))).toMatchObject({ outcome: { pix: { endToEndId: id } } });
  });

  it('by boleto has its barcode, its line, its page and its due day in Brasília', async () => {
    const { barcode, external_resource_url: url } = BILLET.transaction_details;
    const older = { ...BILLET, transaction_details: { external_resource_url: url }, barcode };
    const billet = {
      barcode: barcode.content,
      line: '00190000090114971860168524522114675860000102656',
      url,
      dueAt: '2030-03-05',
    };
    for (const object of [BILLET, older])
      expect(await inquire(payment(object))).toMatchObject({ outcome: { billet } });
  });
});
