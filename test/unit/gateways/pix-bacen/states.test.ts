import { EFI_PROBLEMS, PROBLEMS } from '../../../../src/gateways/pix-bacen/errors';
import { PixBacenDriver } from '../../../../src/gateways/pix-bacen/driver';
import {
  CHARGE_STATES,
  chargeReply,
  RETURN_STATES,
  returnReply,
} from '../../../../src/gateways/pix-bacen/wire';
import { describeWithOracle } from '../../../support/vendors/oracles';
import type { PixDocument } from './pix-document';
import {
  chargeRequest,
  cob,
  devolucao,
  END_TO_END_ID,
  ok,
  paid,
  pixStub,
  problem,
  REFERENCE,
  type StubAnswer,
  TXID,
} from './pix-stub';

const driver = new PixBacenDriver();
const REFUND_ID = `${TXID}r1`;
const inquire = (answers: readonly StubAnswer[], operation = '') => {
  const reference = `${REFERENCE}${operation}`;
  return driver.inquire(pixStub(answers).ctx, { reference, gatewayTransactionId: TXID, sentAt: null });
};
const none = { capturedCents: 0, refundedCents: 0, paidCents: 0 };
const all = { capturedCents: 12_990, refundedCents: 0, paidCents: 12_990 };
const over = { calendario: { criacao: '2020-01-01T00:00:00Z', expiracao: 60 } };

describe('an inquiry about a pix', () => {
  it.each([
    ['ATIVA', cob(TXID), 'pending', { status: 'pending', ...none }],
    ['ATIVA, expired', cob(TXID, over), 'canceled', { status: 'expired', ...none }],
    ['CONCLUIDA', paid(TXID), 'approved', { status: 'approved', ...all }],
    ['CONCLUIDA, paid after its expiry', paid(TXID, over), 'approved', { status: 'approved', ...all }],
    [
      'REMOVIDA_PELO_USUARIO_RECEBEDOR',
      cob(TXID, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }),
      'canceled',
      { status: 'canceled', ...none },
    ],
    [
      'REMOVIDA_PELO_PSP',
      cob(TXID, { status: 'REMOVIDA_PELO_PSP' }),
      'canceled',
      { status: 'canceled', ...none },
    ],
    [
      'REMOVIDA_PELO_PSP, without a code',
      cob(TXID, { status: 'REMOVIDA_PELO_PSP', pixCopiaECola: null, location: null, loc: null }),
      'canceled',
      { status: 'canceled', ...none },
    ],
    [
      'removed after it was paid',
      paid(TXID, { status: 'REMOVIDA_PELO_PSP' }),
      'approved',
      { status: 'approved', ...all },
    ],
    [
      'paid in part',
      paid(TXID, { status: 'ATIVA' }, { valor: '100.00' }),
      'pending',
      { status: 'pending', capturedCents: 10_000, refundedCents: 0, paidCents: 10_000 },
    ],
    [
      'returned in part',
      paid(
        TXID,
        {},
        {
          devolucoes: [
            devolucao('a', { valor: '1.00' }),
            devolucao('b', { status: 'EM_PROCESSAMENTO' }),
            devolucao('c', { status: 'NAO_REALIZADO' }),
          ],
        },
      ),
      'approved',
      { ...all, status: 'approved', refundedCents: 100 },
    ],
    [
      'returned',
      paid(TXID, {}, { devolucoes: [devolucao('a')] }),
      'refunded',
      { ...all, status: 'refunded', refundedCents: 12_990 },
    ],
  ])('that is %s tells the whole charge', async (_, body, kind, chargeState) => {
    expect(await inquire([ok(body)])).toMatchObject({
      kind: 'found',
      outcome: { kind, gatewayTransactionId: TXID, amountCents: 12_990, chargeState },
    });
  });

  it('shows the end-to-end id, the code of the bank, or one that is made of the location', async () => {
    const { outcome } = (await inquire([ok(paid(TXID, { pixCopiaECola: '000201bank' }))])) as {
      outcome: { pix: object };
    };
    expect(outcome.pix).toEqual({
      qrCode: '000201bank',
      expiresAt: '2099-01-01T00:00:00.358Z',
      endToEndId: END_TO_END_ID,
    });
    expect(await inquire([ok(cob(TXID))])).toMatchObject({
      outcome: {
        pix: {
          qrCode: expect.stringContaining('pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25') as string,
        },
      },
    });
  });

  it.each([
    ['without the transfer of a paid charge', ok(cob(TXID, { status: 'CONCLUIDA' }))],
    ['of another charge', ok(cob('x'.repeat(26)))],
    ['of an unknown state', ok(cob(TXID, { status: 'EXPIRADA' }))],
    ['of a proxy', { status: 404, body: '<html>' }],
    ['of another API', { status: 404, body: { type: 'about:blank', title: 'Not Found', status: 404 } }],
    [
      'with another status than its body',
      { status: 404, body: (problem(400, 'CobNaoEncontrado') as { body: object }).body },
    ],
  ])('proves nothing by an answer %s', async (_, answer) => {
    expect((await inquire([answer])).kind).toBe('inconclusive');
  });

  it('proves absence only by the bank’s own error', async () => {
    expect(await inquire([problem(404, 'CobNaoEncontrado')])).toEqual({ kind: 'not_found' });
    expect(await inquire([problem(404, 'NaoEncontrado')])).toEqual({ kind: 'not_found' });
  });
});

describe('an inquiry about a refund', () => {
  it.each([
    ['DEVOLVIDO', { kind: 'refunded', amountCents: 12_990 }],
    ['EM_PROCESSAMENTO', { kind: 'pending', amountCents: 12_990 }],
    ['NAO_REALIZADO', { kind: 'declined', code: null, declineClass: 'soft', message: 'Conta encerrada' }],
  ])('that is %s has its result, listed or not', async (status, outcome) => {
    const found = devolucao(REFUND_ID, { status, motivo: 'Conta encerrada' });
    const expected = { kind: 'found', outcome: { ...outcome, chargeState: undefined } };
    for (const answers of [[ok(paid(TXID, {}, { devolucoes: [found] }))], [ok(paid(TXID)), ok(found)]]) {
      const result = await inquire(answers, '-refund');
      expect({
        ...result,
        outcome: { ...(result as { outcome: object }).outcome, chargeState: undefined },
      }).toMatchObject(expected);
    }
  });

  it('is not found if the bank knows no return with its id, or the charge was never paid', async () => {
    const absent = problem(404, 'PixDevolucaoNaoEncontrada');
    expect(await inquire([ok(paid(TXID)), absent], '-refund')).toEqual({ kind: 'not_found' });
    expect(await inquire([ok(cob(TXID))], '-refund')).toEqual({ kind: 'not_found' });
    expect((await inquire([ok(paid(TXID)), { status: 500, body: '' }], '-refund')).kind).toBe('inconclusive');
  });

  it('of a cancel is found only if the charge is removed and unpaid', async () => {
    const removed = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
    expect(await inquire([ok(cob(TXID, removed))], '-cancel')).toMatchObject({
      outcome: { kind: 'canceled' },
    });
    for (const body of [cob(TXID), paid(TXID), paid(TXID, removed)])
      expect(await inquire([ok(body)], '-cancel')).toEqual({ kind: 'not_found' });
  });
});

describe('an error of the Pix API', () => {
  const FAMILIES: Readonly<Record<keyof typeof PROBLEMS, string>> = {
    RequisicaoInvalida: 'invalid_request',
    AcessoNegado: 'bad_credentials',
    NaoEncontrado: 'invalid_request',
    PermanentementeRemovido: 'ambiguous',
    ErroInternoDoServidor: 'ambiguous',
    ServicoIndisponivel: 'ambiguous',
    IndisponibilidadePorTempoEsgotado: 'ambiguous',
    CobNaoEncontrado: 'invalid_request',
    CobOperacaoInvalida: 'invalid_request',
    CobConsultaInvalida: 'invalid_request',
    PixNaoEncontrado: 'invalid_request',
    PixDevolucaoNaoEncontrada: 'invalid_request',
    PixDevolucaoInvalida: 'invalid_request',
  };

  it.each(Object.entries(PROBLEMS))('%s with status %d has its family', async (name, status) => {
    const call = driver.charge(pixStub([problem(status, name)]).ctx, chargeRequest());
    const family = FAMILIES[name as keyof typeof PROBLEMS];
    await expect(call).rejects.toMatchObject({ family, code: name });
  });

  it.each(Object.entries(EFI_PROBLEMS))(
    'in the form of Efí, %s with status %d, has its family',
    async (nome, status) => {
      const body = { nome, mensagem: 'Campo inválido' };
      const call = driver.charge(pixStub([{ status, body }]).ctx, chargeRequest());
      const family = status === 400 ? 'invalid_request' : 'ambiguous';
      await expect(call).rejects.toMatchObject({
        family,
        code: family === 'ambiguous' ? (expect.anything() as unknown) : nome,
      });
      const isAbsence = nome.includes('_nao_encontrad');
      expect((await inquire([{ status, body }])).kind).toBe(isAbsence ? 'not_found' : 'inconclusive');
      expect((await inquire([{ status: 404, body }])).kind).toBe('inconclusive');
    },
  );

  it('that is not listed is ambiguous', async () => {
    const call = driver.charge(pixStub([problem(400, 'NovoErro')]).ctx, chargeRequest());
    await expect(call).rejects.toMatchObject({ family: 'ambiguous' });
  });
});

describeWithOracle('pix-bacen/openapi.yaml', 'the central bank’s OpenAPI document', (content) => {
  const { components } = content as PixDocument;
  const { schemas = {}, examples } = components;
  const valueOf = (name: string): Readonly<Record<string, unknown>> =>
    examples[name]?.value as Readonly<Record<string, unknown>>;

  it('has the states that the driver knows, and no other', () => {
    expect(schemas.CobrancaStatus?.enum).toEqual(CHARGE_STATES);
    expect(schemas.Devolucao?.properties?.status?.enum).toEqual(RETURN_STATES);
  });

  it('names every error that the driver takes as the bank’s own', () => {
    const { info } = content as { info: { description: string } };
    for (const name of Object.keys(PROBLEMS)) expect(info.description).toContain(`### \`${name}\``);
  });

  it.each([
    ['cobResponse1', { kind: 'pending', amountCents: 3_700, paidAmountCents: 0 }],
    ['cobResponse2', { kind: 'approved', amountCents: 10_000, paidAmountCents: 11_000 }],
    ['cobResponse3', { kind: 'pending', amountCents: 12_345, paidAmountCents: 0 }],
    ['cobResponse5', { kind: 'pending', amountCents: 0, paidAmountCents: 0 }],
    ['cobResponse7', { kind: 'pending', amountCents: 1_000, paidAmountCents: 0 }],
  ])('has an example %s, which the driver reads as it is meant', async (name, expected) => {
    // The examples are of 2020, so that they would be expired.
    const body = {
      ...valueOf(name),
      txid: TXID,
      calendario: { criacao: '2098-01-01T00:00:00Z', expiracao: 3_600 },
    };
    expect(chargeReply.safeParse(valueOf(name)).success).toBe(true);
    expect(await inquire([ok(body)])).toMatchObject({ kind: 'found', outcome: expected });
  });

  it('has an example of a charge with a due date, which is none of the driver’s', () => {
    expect(chargeReply.safeParse(valueOf('cobResponse4')).success).toBe(false);
  });

  it.each([
    ['devolucaoResponse1', { status: 'EM_PROCESSAMENTO', valor: 789 }],
    ['devolucaoResponse2', { status: 'NAO_REALIZADO', valor: 2_000 }],
  ])('has an example %s of a return', (name, expected) => {
    expect(returnReply.parse(valueOf(name))).toMatchObject(expected);
  });
});
