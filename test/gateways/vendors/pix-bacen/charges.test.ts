import { toCompactReference } from '../../../../src/gateways/compact-reference';
import { waitFor } from '../../../support/stack/wait-for';
import { PixBench, PixCharge, REMOVED, WEBHOOK_TOKEN } from './bench';

let bench: PixBench;
beforeAll(async () => {
  bench = await PixBench.start();
});
afterAll(() => bench.stop());

const newCharge = () => new PixCharge(bench);
const text = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const problem = (status: number, name: string) => ({
  status,
  type: 'application/problem+json',
  body: { status, type: `https://pix.bcb.gov.br/api/v2/error/${name}` },
});

describe('a charge at the fake of the Pix API', () => {
  it('is created by our txid with a code and an expiry, and is the same when it is put again', async () => {
    const charge = newCharge();
    const first = await charge.put();
    expect(first).toMatchObject({
      status: 201,
      body: {
        txid: charge.txid,
        status: 'ATIVA',
        revisao: 0,
        calendario: { expiracao: 3_600 },
        valor: { original: '100.00' },
        pixCopiaECola: text(/^0002/),
      },
    });
    expect((await charge.put()).text).toBe(first.text);
    const entries = (await bench.control.ledger(charge.transactionId)).entries;
    expect(entries.map(({ kind }) => kind)).toEqual(['pending']);
  });

  it('is changed by other content while it is active, and not once it is paid', async () => {
    const charge = newCharge();
    const { body } = await charge.put();
    const changed = await charge.put({ valor: { original: '90.00' } });
    expect(changed).toMatchObject({ status: 201, body: { revisao: 1, valor: { original: '90.00' } } });
    expect(changed.body.pixCopiaECola).not.toBe(body.pixCopiaECola);
    expect(await charge.patch({ solicitacaoPagador: 'Outro' })).toMatchObject({
      status: 200,
      body: { revisao: 2 },
    });
    await bench.control.pay(charge.transactionId);
    expect((await charge.totals()).captured).toBe(9_000);
    expect(await charge.put()).toMatchObject(problem(400, 'CobOperacaoInvalida'));
    expect(await charge.patch(REMOVED)).toMatchObject(problem(400, 'CobOperacaoInvalida'));
  });

  it('shows its payment, which a webhook announces below the registered address', async () => {
    const charge = newCharge();
    const e2eId = await charge.paid();
    const shown = (await charge.show()).body;
    expect(shown).toMatchObject({
      status: 'CONCLUIDA',
      pix: [{ endToEndId: text(/^E\d{8}20\d{10}[A-Z0-9]{11}$/), txid: charge.txid, valor: '100.00' }],
    });
    const [webhook] = await bench.webhooks(charge.txid);
    expect(webhook).toEqual({
      path: '/webhooks/gateway_6/pix',
      query: `hmac=${WEBHOOK_TOKEN}`,
      body: { pix: shown.pix },
    });
    expect((await bench.get(`pix/${e2eId}`)).body).toEqual(shown.pix[0]);
  });

  it('is removed while it is active, also after it has expired, but not with other changes', async () => {
    const charge = newCharge();
    await charge.put();
    expect(await charge.patch({ ...REMOVED, valor: { original: '1.00' } })).toMatchObject({ status: 400 });
    expect(await charge.patch(REMOVED)).toMatchObject({ status: 200, body: { ...REMOVED, revisao: 1 } });
    expect(await charge.patch(REMOVED)).toMatchObject({ status: 400 });
    const expired = newCharge();
    await expired.put({ calendario: { expiracao: 1 } });
    const kinds = async () =>
      (await bench.control.ledger(expired.transactionId)).entries.map(({ kind }) => kind);
    await waitFor(async () => (await kinds()).includes('expired'), { what: 'the expiry' });
    expect((await expired.show()).body.status).toBe('ATIVA');
    expect((await expired.patch(REMOVED)).status).toBe(200);
  });

  it.each([
    ['no value', { valor: undefined }, 'cob.valor'],
    ['a value with one decimal', { valor: { original: '100.0' } }, 'cob.valor.original'],
    ['a number for a value', { valor: { original: 100 } }, 'cob.valor.original'],
    ['a value of zero', { valor: { original: '0.00' } }, 'cob.valor.original'],
    ['an expiry of zero', { calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
    ['a debtor without a name', { devedor: { cpf: '52998224725' } }, 'cob.devedor'],
    ['a key of no kind', { chave: 'minha chave' }, 'cob.chave'],
    ['a key of another receiver', { chave: 'outro@example.com' }, 'cob.chave'],
    ['a text over 140 characters', { solicitacaoPagador: 'a'.repeat(141) }, 'cob.solicitacaoPagador'],
    ['an unknown field', { descricao: 'Pedido' }, 'cob.descricao'],
  ])('with %s is refused with the field’s name', async (_, changes, propriedade) => {
    const charge = newCharge();
    const answer = await charge.put(changes);
    expect(answer).toMatchObject(problem(400, 'CobOperacaoInvalida'));
    expect(answer.body).toMatchObject({ violacoes: [{ propriedade }] });
    expect(await charge.show()).toMatchObject(problem(404, 'CobNaoEncontrado'));
  });

  it('needs a txid of 26 to 35 letters and digits', async () => {
    const ids = ['a'.repeat(25), 'a'.repeat(36), `${'a'.repeat(30)}-1`];
    const answers = await Promise.all(ids.map((id) => bench.send('PUT', `cob/${id}`, newCharge().request())));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });
});

describe('the list of charges', () => {
  const around = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const list = (from: number, to: number, more = '') =>
    bench.get(`cob?inicio=${around(from)}&fim=${around(to)}${more}`);

  it('shows those of a time and state, newest first, in pages', async () => {
    const [first, second] = [newCharge(), newCharge()];
    await first.put();
    await second.put();
    const { body } = await list(-1, 1, '&paginacao.itensPorPagina=1');
    expect(body).toMatchObject({
      cobs: [{ txid: second.txid }],
      parametros: { paginacao: { paginaAtual: 0, itensPorPagina: 1 } },
    });
    const active = (await list(-1, 1, '&status=ATIVA')).body.cobs.map(({ txid }) => txid);
    expect(active.slice(0, 2)).toEqual([second.txid, first.txid]);
    expect((await list(-2, -1)).body.cobs).toEqual([]);
    expect(await list(1, -1)).toMatchObject(problem(400, 'CobConsultaInvalida'));
    expect(await bench.get('cob')).toMatchObject(problem(400, 'CobConsultaInvalida'));
  });

  it('knows a new charge only after the delay of the search, which its txid does not have', async () => {
    const slow = await PixBench.start({ searchLagMs: 60_000 });
    try {
      const charge = new PixCharge(slow);
      await charge.put();
      const found = await slow.get(`cob?inicio=${around(-1)}&fim=${around(1)}`);
      expect(found.body.cobs).toEqual([]);
      expect((await charge.show()).status).toBe(200);
    } finally {
      await slow.stop();
    }
  });
});

describe('a refund at the fake of the Pix API', () => {
  it('is made by our id, in parts up to the payment, and announced by a webhook', async () => {
    const charge = newCharge();
    const e2eId = await charge.paid();
    expect(await charge.refund(e2eId, '60.00')).toMatchObject({
      status: 201,
      body: {
        id: charge.refundId,
        valor: '60.00',
        status: 'DEVOLVIDO',
        rtrId: text(/^D\d{20}[0-9a-f]{11}$/),
      },
    });
    const second = toCompactReference(`${charge.transactionId}-1-refund-2`);
    expect(await charge.refund(e2eId, '40.01', second)).toMatchObject(problem(400, 'PixDevolucaoInvalida'));
    expect((await charge.refund(e2eId, '40.00', second)).status).toBe(201);
    expect((await charge.totals()).refunded).toBe(10_000);
    expect((await bench.get(`pix/${e2eId}/devolucao/${charge.refundId}`)).body).toMatchObject({
      status: 'DEVOLVIDO',
    });
    const webhooks = await bench.webhooks(charge.txid, 3);
    expect(webhooks[2]?.body.pix[0].devolucoes).toHaveLength(2);
  });

  it('cannot use an id again, also with the same content', async () => {
    const charge = newCharge();
    const e2eId = await charge.paid();
    await charge.refund(e2eId, '10.00');
    expect(await charge.refund(e2eId, '10.00')).toMatchObject(problem(400, 'PixDevolucaoInvalida'));
    expect((await charge.totals()).refunded).toBe(1_000);
  });

  it('is being processed until it has its result, if a script says so', async () => {
    const charge = newCharge();
    const e2eId = await charge.paid();
    const match = { transaction_id: charge.transactionId, operation: 'refund' } as const;
    await bench.control.script(match, { pending_then: 'refused' });
    expect((await charge.refund(e2eId, '10.00')).body.status).toBe('EM_PROCESSAMENTO');
    await bench.control.finishOperation(charge.transactionId, { operation: 'refund' });
    expect((await bench.get(`pix/${e2eId}/devolucao/${charge.refundId}`)).body.status).toBe('NAO_REALIZADO');
    expect((await charge.totals()).refunded).toBe(0);
  });

  it('is of a known payment, and a claim of fraud is one of another nature', async () => {
    const charge = newCharge();
    const e2eId = await charge.paid();
    expect(await charge.refund('E'.repeat(32), '1.00')).toMatchObject(problem(404, 'PixNaoEncontrado'));
    expect(await bench.get(`pix/${e2eId}/devolucao/unknown`)).toMatchObject(
      problem(404, 'PixDevolucaoNaoEncontrada'),
    );
    await bench.webhooks(charge.txid);
    await bench.control.sendCallbacks(charge.transactionId, { kind: 'chargeback' });
    const [, claim] = await bench.webhooks(charge.txid, 2);
    expect(claim?.body.pix[0].devolucoes).toMatchObject([
      { natureza: 'MED_FRAUDE', status: 'EM_PROCESSAMENTO' },
    ]);
  });
});
