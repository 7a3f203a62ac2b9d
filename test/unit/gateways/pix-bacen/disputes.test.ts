import { specialReturnsOf } from '../../../../src/gateways/pix-bacen/disputes';
import { PixBacenDriver } from '../../../../src/gateways/pix-bacen/driver';
import { chargeReply } from '../../../../src/gateways/pix-bacen/wire';
import { describeWithOracle } from '../../../support/vendors/oracles';
import type { PixDocument } from './pix-document';
import { devolucao, ok, paid, pixStub, REFERENCE, TXID } from './pix-stub';

const driver = new PixBacenDriver();
const NATURES = ['MED_FRAUDE', 'MED_OPERACIONAL', 'MED_PIX_AUTOMATICO'] as const;

async function inquired(...devolucoes: readonly object[]) {
  const { ctx } = pixStub([ok(paid(TXID, {}, { devolucoes }))]);
  const subject = { reference: REFERENCE, gatewayTransactionId: TXID, sentAt: null };
  const result = await driver.inquire(ctx, subject);
  if (result.kind !== 'found' || result.outcome.kind === 'declined') throw new Error(result.kind);
  return result.outcome;
}

describe('a special return of a pix', () => {
  it.each([
    ['EM_PROCESSAMENTO', 'opened'],
    ['DEVOLVIDO', 'lost'],
    ['NAO_REALIZADO', 'won'],
  ])('that is %s is a dispute that is %s, and no refund', async (status, meant) => {
    const { chargeState, kind, disputes } = await inquired(
      devolucao('MED1', { natureza: 'MED_FRAUDE', status }),
    );
    expect(kind).toBe('approved');
    expect(chargeState).toMatchObject({ status: 'approved', capturedCents: 12_990, refundedCents: 0 });
    expect(disputes).toEqual([
      {
        gatewayDisputeId: 'MED1',
        currency: 'BRL',
        kind: 'med',
        status: meant,
        amountCents: 12_990,
        reasonCode: 'MED_FRAUDE',
        evidenceDueAt: null,
        at: new Date('2026-05-04T12:30:00.000Z'),
      },
    ]);
  });

  it('may be a part, may come several times, and leaves refunds of the company as they are', async () => {
    const { chargeState, disputes } = await inquired(
      devolucao('OWN', { valor: '10.00' }),
      devolucao('MED1', { natureza: 'MED_FRAUDE', valor: '40.00' }),
      devolucao('MED2', {
        ...{ natureza: 'MED_OPERACIONAL', valor: '5.00' },
        horario: { solicitacao: '2026-05-04T12:30:00.000Z', liquidacao: '2026-05-05T09:00:00-03:00' },
      }),
    );
    expect(chargeState).toMatchObject({ status: 'approved', refundedCents: 1_000 });
    expect(disputes).toMatchObject([
      { gatewayDisputeId: 'MED1', amountCents: 4_000 },
      { gatewayDisputeId: 'MED2', amountCents: 500, at: new Date('2026-05-05T12:00:00Z') },
    ]);
  });

  it('is none of a charge without one', async () => {
    const outcome = await inquired(devolucao('OWN', { natureza: 'ORIGINAL' }), devolucao('OTHER'));
    expect(outcome).not.toHaveProperty('disputes');
    expect(outcome.kind).toBe('refunded');
  });

  it('without a time that can be read became so when it was asked for', () => {
    for (const horario of [undefined, {}, { solicitacao: 'ontem' }, 7]) {
      const devolucoes = [devolucao('MED1', { natureza: 'MED_FRAUDE', horario })];
      const charge = chargeReply.parse(paid(TXID, {}, { devolucoes }));
      expect(specialReturnsOf(charge, new Date(0))).toMatchObject([{ at: new Date(0) }]);
    }
  });
});

describeWithOracle('pix-bacen/openapi.yaml', 'the document of the Pix API', (content) => {
  it('knows these natures of special returns, and no others', () => {
    const { schemas } = (content as PixDocument).components as unknown as {
      schemas: { DevolucaoNatureza: { enum: readonly string[] } };
    };
    const special = schemas.DevolucaoNatureza.enum.filter((each) => each.startsWith('MED_'));
    expect(special.toSorted()).toEqual(NATURES.toSorted());
  });
});
