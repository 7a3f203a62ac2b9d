import type { Behavior } from '../../../../src/simulator/scripts';
import { ledgerOf } from '../../../support/scenarios/pay';
import { reloadPurchase, requestsOf } from '../../../support/scenarios/purchase';
import {
  claimed,
  expectChargedOnce,
  isAnythingToSend,
  repeat,
  REPLAYING_GATEWAY,
  script,
  untilChargesReceived,
} from '../../../support/scenarios/replaying-gateway';
import { startEngine, type Engine } from '../../../support/stack/engine';

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine(REPLAYING_GATEWAY, { workers: 'none' });
});
afterAll(() => engine.stop());

describe('a charge whose first request is still in progress at the gateway', () => {
  /** The gateway holds the first request while another worker repeats it. */
  async function repeatedMeanwhile(behavior: Behavior) {
    const { subject, first } = await claimed(engine);
    await script(engine, subject, { delay_ms: 500, ...behavior });
    const answer = first.send();
    await untilChargesReceived(engine, subject, 1);
    await repeat(engine, subject, first);
    expect(await requestsOf(engine, subject, 'charge')).toHaveLength(2);
    return { subject, first, answer: await answer };
  }

  it('stays open after a repetition, goes to no other gateway, and is approved by the answer to its first request', async () => {
    const { subject, first, answer } = await repeatedMeanwhile({});
    expect(await reloadPurchase(engine, subject)).toMatchObject({ status: 'processing' });
    expect(await isAnythingToSend(engine, subject)).toBe(false);
    await first.record(answer);
    await expectChargedOnce(engine, subject);
  });

  it('is not ended by a decline of its first request before a later repetition confirms it', async () => {
    const { subject, first, answer } = await repeatedMeanwhile({ decline: '51' });
    await first.record(answer);
    expect(await isAnythingToSend(engine, subject)).toBe(false);
    await repeat(engine, subject, first);
    const { transactions } = await reloadPurchase(engine, subject);
    expect(transactions.filter(({ operation }) => operation === 'charge')).toMatchObject([
      { status: 'declined', response_code: '51' },
    ]);
    expect(await ledgerOf(engine, subject.body)).toMatchObject({ captured: 0 });
  });
});
