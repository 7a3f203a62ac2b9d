import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';
import { startEngine, type Engine } from '../../support/stack/engine';
import { claimed } from '../../support/scenarios/interleaving';
import { ledgerOf } from '../../support/scenarios/pay';
import { newCompany } from '../../support/fixtures/payments';
import {
  becomes,
  idlePurchase,
  now,
  requestsOf,
  wake,
  type Purchase,
} from '../../support/scenarios/purchase';
import { claimAttempt } from '../../../activities/payments/claim-attempt';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** Workers that claim a charge one after the other, and each is too late to send it. */
async function tooSlow(subject: Purchase, times: number): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    const worker = await claimed(engine, subject);
    const late = await worker.send(new Date(Date.now() - 1));
    expect(late).toMatchObject({ kind: 'error', family: 'not_sent', code: NOT_SENT_LOCALLY });
    await worker.record(late);
  }
}

describe('workers that are too slow to send a charge', () => {
  it('use up none of its attempts: the one that is in time is approved', async () => {
    const subject = await idlePurchase(engine, await newCompany(engine), 'sale');
    await tooSlow(subject, 9);
    expect(await now(engine, subject)).toMatchObject({ status: 'processing' });
    expect(await requestsOf(engine, subject, 'charge')).toEqual([]);
    await wake(engine, subject);
    await becomes(engine, subject, { status: 'approved' });
    expect(await requestsOf(engine, subject, 'charge')).toHaveLength(1);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: subject.body.amount });
  });

  it('leave all gateways to be tried that a decline would leave', async () => {
    const company = await newCompany(engine, ['gateway_1', 'gateway_2', 'gateway_4']);
    const subject = await idlePurchase(engine, company, 'sale');
    const { transaction_id, amount } = subject.body;
    await engine.simulator.script({ transaction_id, amount }, { decline: '91' }, 0);
    await tooSlow(subject, 4);
    await wake(engine, subject);
    await becomes(engine, subject, { status: 'failed', code: 'declined' });
    expect(await requestsOf(engine, subject, 'charge')).toHaveLength(3);
  });

  it('do not try for ever: in the end it fails, and nothing was sent', async () => {
    const subject = await idlePurchase(engine, await newCompany(engine), 'sale');
    await tooSlow(subject, 10);
    expect(await now(engine, subject)).toMatchObject({ status: 'failed', code: 'gateway_error' });
    const { company, body } = subject;
    const claim = await claimAttempt(engine.deps, {
      companyId: company.id,
      transactionId: body.transaction_id,
    });
    expect(claim.kind).toBe('nothing');
    expect(await requestsOf(engine, subject, 'charge')).toEqual([]);
  });
});
