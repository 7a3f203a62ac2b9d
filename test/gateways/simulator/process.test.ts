import { randomUUID } from 'node:crypto';
import { appendFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startCallbackReceiver, verifySimulatorCallback } from '../../support/stack/callback-receiver';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { waitFor } from '../../support/stack/wait-for';
import { payment, pixPayment, VendorClient } from './vendor-client';

let simulator: SimulatorProcess;
beforeEach(async () => {
  simulator = await startSimulatorProcess();
});
afterEach(() => simulator.dispose());

const vendorAt = (slug: 'gateway_1' | 'gateway_3' = 'gateway_1') => new VendorClient(simulator.url, slug);
const ledgerFile = () => join(simulator.folder, 'simulator', 'ledger.jsonl');

async function killAndRestart(): Promise<void> {
  const { port, folder } = simulator;
  await simulator.end('SIGKILL');
  simulator = await startSimulatorProcess({ port, folder });
}

describe('recovery from SIGKILL', () => {
  it('keeps the ledger, requests, keys, charges and recipients of answered requests', async () => {
    const key = randomUUID();
    const { transactionId, body } = payment();
    const charged = await vendorAt().charge(body, key);
    const information = {
      name: 'Loja',
      email: 'loja@example.com',
      document: '52998224725',
      type: 'individual',
    };
    const recipient = await vendorAt().sendAccepted(
      'recipients',
      { reference: 'shop', ...information },
      'recipient-key',
    );
    const ledger = await simulator.control.ledger(transactionId);
    const requests = await simulator.control.requests(transactionId);

    await killAndRestart();

    expect(await simulator.control.ledger(transactionId)).toEqual(ledger);
    expect(await simulator.control.requests(transactionId)).toEqual(requests);
    expect(await vendorAt().charge(body, key)).toEqual(charged);
    expect(
      await vendorAt().sendAccepted('recipients', { reference: 'shop', ...information }, 'recipient-key'),
    ).toEqual(recipient);
    const refund = { reference: `${transactionId}-2-refund`, amount: 10_000 };
    await vendorAt().sendAccepted(`charges/${charged.id}/refunds`, refund);
    const { entries, totals } = await simulator.control.ledger(transactionId);
    expect(totals).toMatchObject({ captured: 10_000, refunded: 10_000 });
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length);
  });

  it('keeps every charge answered during a burst, and no partial commit', async () => {
    const payments = Array.from({ length: 200 }, () => payment());
    const answered: string[] = [];
    const burst = payments.map(async ({ transactionId, body }) => {
      await vendorAt('gateway_3').charge(body);
      answered.push(transactionId);
      if (answered.length === 50) await simulator.end('SIGKILL');
    });
    await Promise.allSettled(burst);
    simulator = await startSimulatorProcess({ port: simulator.port, folder: simulator.folder });
    expect(answered.length).toBeGreaterThanOrEqual(50);
    for (const transactionId of answered) {
      expect((await simulator.control.ledger(transactionId)).totals.captured).toBe(10_000);
    }
    for (const { transactionId } of payments) {
      const { entries } = await simulator.control.ledger(transactionId);
      expect([0, 2]).toContain(entries.length);
      expect(ledgerViolations(entries)).toEqual([]);
    }
  });

  it('logs an open request as dropped and does not commit it', async () => {
    const { transactionId, body } = payment();
    await simulator.control.script({ transaction_id: transactionId }, { delay_ms: 60_000 });
    const charging = vendorAt().charge(body);
    const lost = expect(charging).rejects.toThrow();
    await waitFor(async () => (await simulator.control.requests(transactionId)).length === 1);
    await killAndRestart();
    await lost;
    expect(await simulator.control.requests(transactionId)).toMatchObject([{ answered: 'dropped' }]);
    expect((await simulator.control.ledger(transactionId)).entries).toEqual([]);
  });

  it('truncates a torn last line and keeps all others', async () => {
    const first = payment();
    await vendorAt().charge(first.body);
    await simulator.end('SIGKILL');
    const wholeBytes = statSync(ledgerFile()).size;
    appendFileSync(ledgerFile(), '{"charge":{"id":"ch_torn","gateway":"gate');
    simulator = await startSimulatorProcess({ port: simulator.port, folder: simulator.folder });
    expect(statSync(ledgerFile()).size).toBe(wholeBytes);
    const second = payment();
    await vendorAt().charge(second.body);
    await killAndRestart();
    for (const { transactionId } of [first, second]) {
      expect((await simulator.control.ledger(transactionId)).totals.captured).toBe(10_000);
    }
  });

  it('keeps a pending pix payable', async () => {
    const { transactionId, body } = pixPayment();
    await vendorAt().charge(body);
    await killAndRestart();
    expect(await simulator.control.pay(transactionId)).toMatchObject({ status: 'approved' });
  });
});

describe('the process', () => {
  it('sends callbacks to SIMULATOR_CALLBACK_URL, signed with the deployment’s secret', async () => {
    const receiver = await startCallbackReceiver();
    const { port, folder } = simulator;
    await simulator.end('SIGTERM');
    const settings = {
      SIMULATOR_CALLBACK_URL: receiver.url,
      GATEWAY_1_WEBHOOK_SECRET: 'whsec_of_this_deployment,whsec_of_the_one_before',
    };
    simulator = await startSimulatorProcess({ port, folder, settings });
    const { transactionId, body } = pixPayment();
    await vendorAt().charge(body);
    await simulator.control.pay(transactionId);
    const [callback] = await waitFor(() => receiver.of(transactionId).length === 1 && receiver.received);
    expect(callback && verifySimulatorCallback(callback, ['whsec_of_this_deployment'])).toBe('valid');
    receiver.close();
  });

  it('exits cleanly on SIGTERM even while a request hangs', async () => {
    const { transactionId, body } = payment();
    await simulator.control.script({ transaction_id: transactionId }, { hang: 'before' });
    const lost = expect(vendorAt().charge(body)).rejects.toThrow();
    await waitFor(async () => (await simulator.control.requests(transactionId)).length === 1);
    expect(await simulator.end('SIGTERM')).toBe(0);
    await lost;
  });

  it('exits with 1 and names a port in use, without touching the data', async () => {
    const { transactionId, body } = payment();
    await vendorAt().charge(body);
    const { port, folder } = simulator;
    await expect(startSimulatorProcess({ port, folder })).rejects.toThrow(
      `ended with 1: port ${port} is in use`,
    );
    expect((await simulator.control.ledger(transactionId)).totals.captured).toBe(10_000);
  });

  it('refuses to start with a damaged ledger and names the line', async () => {
    await vendorAt().charge(payment().body);
    await simulator.end('SIGTERM');
    appendFileSync(ledgerFile(), 'not json\n');
    const { port, folder } = simulator;
    await expect(startSimulatorProcess({ port, folder })).rejects.toThrow('damaged at line 2');
  });

  it('stores no card number, CVV, name, document or secret on disk', async () => {
    await vendorAt().charge(payment().body);
    const text = simulator.dataOnDisk();
    expect(text).toContain('captured');
    for (const secret of ['4000000000000010', '"123"', 'Ana', 'ANA', '52998224725', 'sk_test']) {
      expect(text).not.toContain(secret);
    }
  });
});
