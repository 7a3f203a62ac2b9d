import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import { startEngine, type Engine } from '../../support/stack/engine';
import { claimNext } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  waitForPayment,
  idlePurchase,
  reloadPurchase,
  requestsOf,
  signalWorkflow,
  type Purchase,
} from '../../support/scenarios/purchase';
import { claimAttempt } from '../../../activities/payments/claim-attempt';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** Workers claim a charge one after the other, and each misses the send window. */
async function missSendWindow(subject: Purchase, times: number): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    const worker = await claimNext(engine, subject);
    const late = await worker.send(new Date(Date.now() - 1));
    expect(late).toMatchObject({ kind: 'error', family: 'not_sent', code: NOT_SENT_LOCALLY });
    await worker.record(late);
  }
}

describe('workers that miss the send window of a charge', () => {
  it('missed send windows do not count as attempts, and the next worker charges', async () => {
    const subject = await idlePurchase(engine, await newCompany(engine), 'sale');
    await missSendWindow(subject, 9);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'processing' });
    expect(await requestsOf(engine, subject, 'charge')).toEqual([]);
    await signalWorkflow(engine, subject);
    await waitForPayment(engine, subject, { status: 'approved' });
    expect(await requestsOf(engine, subject, 'charge')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });

  it('missed send windows do not reduce the number of gateways to attempt', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2', 'gateway_4']);
    const subject = await idlePurchase(engine, company, 'sale');
    const { transaction_id, amount } = subject.body;
    await engine.simulator.script({ transaction_id, amount }, { decline: '91' }, 0);
    await missSendWindow(subject, 4);
    await signalWorkflow(engine, subject);
    await waitForPayment(engine, subject, { status: 'failed', code: 'declined' });
    expect(await requestsOf(engine, subject, 'charge')).toHaveLength(3);
  });

  it('ten missed send windows fail the payment, and nothing was sent', async () => {
    const subject = await idlePurchase(engine, await newCompany(engine), 'sale');
    await missSendWindow(subject, 10);
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'failed', code: 'gateway_error' });
    const { company, body } = subject;
    const claim = await claimAttempt(engine.deps, {
      companyId: company.id,
      transactionId: body.transaction_id,
    });
    expect(claim.kind).toBe('nothing');
    expect(await requestsOf(engine, subject, 'charge')).toEqual([]);
  });
});
