import { GatewayError, NOT_SENT_LOCALLY } from '../../../../src/gateways/errors';
import { PixBacenDriver } from '../../../../src/gateways/pix-bacen/driver';
import { describeWithOracle } from '../../../support/vendors/oracles';
import { type PixDocument, PixDocumentCheck } from './pix-document';
import {
  chargeRequest,
  cob,
  devolucao,
  END_TO_END_ID,
  followUp,
  ok,
  paid,
  pixStub,
  problem,
  REFERENCE,
  TXID,
} from './pix-stub';

const driver = new PixBacenDriver();
const REFUND_ID = `${TXID}r1`;
const created = { status: 201, body: cob(TXID) };

describe('a request for a pix', () => {
  it('has our reference as its id, the amount as a text and the Pix key of the account', async () => {
    const stub = pixStub([created]);
    await driver.charge(stub.ctx, chargeRequest());
    expect(stub.paths()).toEqual([`PUT cob/${TXID}`]);
    expect(stub.body(0)).toEqual({
      calendario: { expiracao: 3_600 },
      devedor: { cpf: '52998224725', nome: 'Ana Lima' },
      valor: { original: '129.90' },
      chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      solicitacaoPagador: 'Camiseta azul',
    });
    expect(stub.sent[0]?.headers).toMatchObject({ authorization: 'Bearer token-1' });
  });

  it.each([
    ['12ABC34501DE35', { devedor: { cnpj: '12ABC34501DE35', nome: 'Ana Lima' } }],
    ['12345', {}],
  ])('with the document %s names the debtor as the standard takes it', async (document, debtor) => {
    const stub = pixStub([created]);
    await driver.charge(stub.ctx, chargeRequest({ customer: { ...chargeRequest().customer, document } }));
    const { devedor } = stub.body(0) as { devedor?: object };
    expect({ ...(devedor !== undefined && { devedor }) }).toEqual(debtor);
  });

  it.each([
    [1, '0.01'],
    [10, '0.10'],
    [100, '1.00'],
    [999_999_999_999, '9999999999.99'],
  ])('of %d cents asks for %s', async (amountCents, original) => {
    const stub = pixStub([{ status: 201, body: cob(TXID, { valor: { original } }) }]);
    expect(await driver.charge(stub.ctx, chargeRequest({ amountCents }))).toMatchObject({ amountCents });
    expect(stub.body(0)).toMatchObject({ valor: { original } });
  });

  it.each([
    { paymentMethod: 'card' },
    { currency: 'USD' },
    { amountCents: 1_000_000_000_000 },
    { splits: [{ recipientId: 'r', amountCents: 12_990, liable: true, chargeProcessingFee: true }] },
  ] as const)('is refused before anything is sent for %j', async (changes) => {
    const stub = pixStub([created]);
    await expect(driver.charge(stub.ctx, chargeRequest(changes))).rejects.toMatchObject({
      family: 'unsupported',
    });
    expect([...stub.sent, ...stub.tokenRequests]).toEqual([]);
  });

  it('counts only if the answer has its id and amount, and a code to pay', async () => {
    for (const body of [
      cob('x'.repeat(26)),
      cob(TXID, { valor: { original: '129.91' } }),
      cob(TXID, { location: undefined, loc: undefined }),
      cob(TXID, { status: 'NOVO' }),
      cob(TXID, { valor: { original: 129.9 } }),
      [],
    ]) {
      const call = driver.charge(pixStub([ok(body)]).ctx, chargeRequest());
      await expect(call).rejects.toMatchObject({ family: 'ambiguous' });
    }
  });

  it('of a cancel removes the charge, which then is canceled', async () => {
    const stub = pixStub([ok(cob(TXID, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }))]);
    const canceled = await driver.cancel(stub.ctx, followUp(TXID, { reference: `${REFERENCE}-cancel` }));
    expect(canceled).toMatchObject({ kind: 'canceled', amountCents: 12_990 });
    expect([stub.paths(), stub.body(0)]).toEqual([
      [`PATCH cob/${TXID}`],
      { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' },
    ]);
    const unchanged = driver.cancel(pixStub([ok(cob(TXID))]).ctx, followUp(TXID));
    await expect(unchanged).rejects.toMatchObject({ family: 'ambiguous' });
  });
});

describe('a refund of a pix', () => {
  const refund = (stub: ReturnType<typeof pixStub>, changes: object = {}) =>
    driver.refund(stub.ctx, followUp(TXID, { reason: 'troca', ...changes }));

  it('returns the transfer by our own id', async () => {
    const stub = pixStub([ok(paid(TXID)), { status: 201, body: devolucao(REFUND_ID) }]);
    expect(await refund(stub)).toMatchObject({
      kind: 'refunded',
      amountCents: 12_990,
      gatewayTransactionId: TXID,
    });
    expect(stub.paths()).toEqual([`GET cob/${TXID}`, `PUT pix/${END_TO_END_ID}/devolucao/${REFUND_ID}`]);
    expect(stub.body(1)).toEqual({ valor: '129.90', descricao: 'troca' });
  });

  it('is of the transfer that still holds the amount', async () => {
    const full = { endToEndId: 'E'.repeat(32), valor: '129.90', devolucoes: [devolucao('other')] };
    const failed = [devolucao('other', { status: 'NAO_REALIZADO' })];
    const held = { endToEndId: END_TO_END_ID, valor: '129.90', devolucoes: failed };
    const stub = pixStub([
      ok(paid(TXID, { pix: [full, held] })),
      { status: 201, body: devolucao(REFUND_ID) },
    ]);
    await refund(stub);
    expect(stub.paths()[1]).toContain(END_TO_END_ID);
    const spent = pixStub([ok(paid(TXID, { pix: [full] }))]);
    await expect(refund(spent)).rejects.toMatchObject({ family: 'invalid_request' });
    expect(spent.paths()).toEqual([`GET cob/${TXID}`]);
  });

  it('is not sent if the charge cannot be read, and refused if the bank does not know it', async () => {
    for (const answer of [{ status: 500, body: '' }, new GatewayError('ambiguous', 'reset')])
      await expect(refund(pixStub([answer]))).rejects.toMatchObject({ family: 'not_sent' });
    const unknown = pixStub([problem(404, 'CobNaoEncontrado')]);
    await expect(refund(unknown)).rejects.toMatchObject({ family: 'invalid_request' });
  });

  it('whose id is taken has the result of the earlier request with it', async () => {
    const refused = problem(400, 'PixDevolucaoInvalida');
    const earlier = pixStub([
      ok(paid(TXID)),
      refused,
      ok(devolucao(REFUND_ID, { status: 'EM_PROCESSAMENTO' })),
    ]);
    expect(await refund(earlier)).toMatchObject({ kind: 'pending' });
    const none = pixStub([ok(paid(TXID)), refused, problem(404, 'PixDevolucaoNaoEncontrada')]);
    await expect(refund(none)).rejects.toMatchObject({ family: 'invalid_request' });
    const untold = pixStub([ok(paid(TXID)), refused, { status: 503, body: '' }]);
    await expect(refund(untold)).rejects.toMatchObject({ family: 'ambiguous' });
    const another = pixStub([ok(paid(TXID)), refused, ok(devolucao(REFUND_ID, { valor: '1.00' }))]);
    await expect(refund(another)).rejects.toMatchObject({ family: 'ambiguous' });
  });

  it.each([
    ['a charge', (ctx: ReturnType<typeof pixStub>['ctx']) => driver.charge(ctx, chargeRequest())],
    ['a refund', (ctx: ReturnType<typeof pixStub>['ctx']) => driver.refund(ctx, followUp(TXID))],
  ])('and no request at all is sent for %s whose send window has passed', async (_, send) => {
    const stub = pixStub([created], { sendBefore: Date.now() - 1 });
    await expect(send(stub.ctx)).rejects.toMatchObject({ family: 'not_sent', code: NOT_SENT_LOCALLY });
    expect([...stub.sent, ...stub.tokenRequests]).toEqual([]);
  });
});

describe('the access token', () => {
  it('is requested once by the client’s credentials and used again', async () => {
    const stub = pixStub([created]);
    await driver.charge(stub.ctx, chargeRequest());
    await driver.verifyCredentials(pixStub([ok({ parametros: {}, cobs: [] })]).ctx);
    await driver.charge(stub.ctx, chargeRequest());
    expect(stub.tokenRequests).toMatchObject([
      {
        method: 'POST',
        body: 'grant_type=client_credentials&scope=cob.write+cob.read+pix.write+pix.read',
        headers: {
          authorization: `Basic ${Buffer.from('client-id:client-secret').toString('base64')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
      },
    ]);
  });

  it.each([
    [{ status: 401, body: '', headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }],
    [{ status: 401, body: { error: 'invalid_token' } }],
  ])('that the bank refuses is replaced once (%j)', async (refusal) => {
    const stub = pixStub([refusal, created]);
    expect(await driver.charge(stub.ctx, chargeRequest())).toMatchObject({ kind: 'pending' });
    expect(stub.sent.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-2',
    ]);
    const refused = pixStub([refusal]);
    await expect(driver.charge(refused.ctx, chargeRequest())).rejects.toMatchObject({
      family: 'bad_credentials',
    });
    expect(refused.sent).toHaveLength(2);
  });

  it('a 401 without these words proves nothing, and is not repeated', async () => {
    const stub = pixStub([{ status: 401, body: '<html>' }]);
    await expect(driver.charge(stub.ctx, chargeRequest())).rejects.toMatchObject({ family: 'ambiguous' });
    expect(stub.sent).toHaveLength(1);
  });

  it.each([
    [{ status: 401, body: { error: 'invalid_client' } }, 'bad_credentials'],
    [{ status: 400, body: { error: 'invalid_scope' } }, 'bad_credentials'],
    [problem(403, 'AcessoNegado'), 'bad_credentials'],
    [{ status: 401, body: '<html>' }, 'not_sent'],
    [{ status: 500, body: '' }, 'not_sent'],
    [ok({ token_type: 'Bearer' }), 'not_sent'],
    [new GatewayError('ambiguous', 'reset'), 'not_sent'],
  ])('that is not given (%j) lets nothing be sent: %s', async (token, family) => {
    const stub = pixStub([created], { token });
    await expect(driver.charge(stub.ctx, chargeRequest())).rejects.toMatchObject({ family });
    expect(stub.sent).toEqual([]);
  });
});

describeWithOracle('pix-bacen/openapi.yaml', 'the central bank’s OpenAPI document', (content) => {
  const check = new PixDocumentCheck(content as PixDocument);

  it('has the bodies of all requests', async () => {
    const [charge, company, cancel, refund] = [
      pixStub([created]),
      pixStub([created]),
      pixStub([ok(cob(TXID, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }))]),
      pixStub([ok(paid(TXID)), ok(devolucao(REFUND_ID))]),
    ];
    const { customer, purchase } = chargeRequest();
    await driver.charge(
      charge.ctx,
      chargeRequest({ purchase: { ...purchase, description: 'x'.repeat(500) } }),
    );
    const long = { ...customer, document: '12ABC34501DE35', name: 'x'.repeat(300) };
    await driver.charge(company.ctx, chargeRequest({ customer: long }));
    await driver.cancel(cancel.ctx, followUp(TXID));
    await driver.refund(refund.ctx, followUp(TXID, { reason: 'x'.repeat(500) }));
    expect([
      ...check.body(charge.body(0), 'CobBody'),
      ...check.body(company.body(0), 'CobBody'),
      ...check.body(cancel.body(0), 'CobBodyRevisada'),
      ...check.body(refund.body(1), 'DevolucaoBody'),
      ...check.value(TXID, check.schema('TxId'), 'txid'),
      ...check.value(REFUND_ID, check.schema('DevolucaoId'), 'id'),
    ]).toEqual([]);
  });

  it('refuses what the driver must not send', () => {
    const body = { calendario: { expiracao: 1 }, valor: { original: '1.00' }, chave: 'k' };
    expect(check.body(body, 'CobBody')).toEqual([]);
    for (const wrong of [
      { ...body, valor: { original: 1 } },
      { ...body, valor: { original: '1234.567' } },
      { ...body, devedor: { cpf: '1', nome: 'x' } },
      { ...body, chave: undefined, extra: 1 },
    ])
      expect(check.body(wrong, 'CobBody')).not.toEqual([]);
  });
});
