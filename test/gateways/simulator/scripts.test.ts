import { randomUUID } from 'node:crypto';
import { startOwnSimulator, type SimulatorControl, type OwnSimulator } from '../../support/stack/simulator';
import type { ScriptedOperation } from '../../../src/simulator/scripts';
import { payment, pixPayment, VendorClient } from './vendor-client';

let simulator: OwnSimulator;
let control: SimulatorControl;
let vendor: VendorClient;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  control = simulator.control;
  vendor = new VendorClient(simulator.url, 'gateway_1');
});
afterEach(() => control.clearScripts());
afterAll(() => simulator.dispose());

const captured = async (transactionId: string) => (await control.ledger(transactionId)).totals.captured;
const statusOf = async (body: object) => (await vendor.send('charges', body)).status;

describe('the matching of scripts', () => {
  it('applies the first matching script, as often as its times', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { status: 500 }, 2);
    await control.script({ transaction_id: transactionId }, { status: 501 });
    const statuses = [];
    for (let request = 0; request < 4; request += 1) statuses.push(await statusOf(body));
    expect(statuses).toEqual([500, 500, 501, 200]);
  });

  it('applies a script with times 0 until scripts are deleted', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { status: 503 }, 0);
    expect([await statusOf(body), await statusOf(body), await statusOf(body)]).toEqual([503, 503, 503]);
    await control.clearScripts();
    expect(await statusOf(body)).toBe(200);
  });

  it.each([
    ['gateway', { gateway: 'gateway_2' }],
    ['amount', { amount: 10_001 }],
    ['operation', { operation: 'authorize' }],
    ['payment', { transaction_id: randomUUID() }],
  ] as const)('ignores a script for another %s', async (_, match) => {
    await control.script(match, { status: 503 }, 0);
    expect(await statusOf(payment().body)).toBe(200);
  });

  it('applies a script whose gateway, amount and operation all match', async () => {
    await control.script({ gateway: 'gateway_1', amount: 10_000, operation: 'charge' }, { status: 503 });
    expect(await statusOf(payment().body)).toBe(503);
  });

  it('does not use up a script on an operation that it does not affect', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { decline: '51' });
    await fetch(`${simulator.url}/gateway_1/charges?reference=${body.reference}`, {
      headers: { authorization: 'Bearer sk_test' },
    });
    expect(await vendor.charge(body)).toMatchObject({ status: 'declined', response: { code: '51' } });
  });
});

describe('behaviours', () => {
  it.each([
    [{ status: 503 }, 0],
    [{ drop: 'before' }, 0],
    [{ drop: 'after' }, 10_000],
    [{ truncate: true }, 10_000],
    [{ truncate: true, drop: 'after' }, 10_000],
    [{ html: 502 }, 10_000],
    [{ html: 502, status: 502 }, 0],
    [{ delay_ms: 50, drop: 'after' }, 10_000],
    [{ decline: '59' }, 0],
  ] as const)('%j captures %i cents', async (behavior, cents) => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, behavior);
    await vendor.charge(body).catch(() => undefined);
    expect(await captured(transactionId)).toBe(cents);
  });

  it('truncate sends half a body in a complete HTTP response', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { truncate: true });
    const { status, text } = await vendor.send('charges', body);
    expect(status).toBe(200);
    expect(() => JSON.parse(text) as unknown).toThrow();
  });

  it.each([
    [{ html: 403 }, 'text/html', '<html>'],
    [{ html: 403, body: 'json' }, 'application/json', '{"error":{"code":"403"'],
    [{ html: 403, body: 'empty' }, 'text/plain', ''],
  ] as const)('%j answers with %s', async (behavior, type, start) => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, behavior);
    const { status, contentType, text } = await vendor.send('charges', body);
    expect([status, contentType]).toEqual([403, type]);
    expect(text.slice(0, start.length || Infinity)).toBe(start);
  });

  it.each([200, 301, 400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503])(
    'html answers every operation with %i after the commit',
    async (html) => {
      const { transactionId, body } = payment();
      const act = async (path: string, request: object | null, operation: ScriptedOperation) => {
        await control.script({ transaction_id: transactionId, operation }, { html });
        const { status } = await vendor.send(path, request);
        expect([operation, status]).toEqual([operation, html]);
      };
      const chargeId = async () => (await control.ledger(transactionId)).entries[0]?.charge_id ?? '';
      const followUp = (name: string) => ({ reference: `${transactionId}-1-${name}`, amount: 4_000 });
      await act('authorizations', body, 'authorize');
      await act(`charges/${await chargeId()}/captures`, followUp('capture'), 'capture');
      await act(`charges/${await chargeId()}/refunds`, followUp('refund'), 'refund');
      await act(`charges/${await chargeId()}`, null, 'inquiry');
      await act(`charges?reference=${body.reference}`, null, 'inquiry');
      expect((await control.ledger(transactionId)).totals).toMatchObject({
        captured: 4_000,
        canceled: 6_000,
        refunded: 4_000,
      });
      const information = {
        name: 'Loja',
        email: 'a@example.com',
        document: '52998224725',
        type: 'individual',
      };
      await act('recipients', { reference: transactionId, ...information }, 'recipient');
      await act(`recipients?reference=${transactionId}`, null, 'inquiry');
      const { text } = await vendor.send(`recipients?reference=${transactionId}`, null);
      expect(JSON.parse(text)).toMatchObject({ data: [{ status: 'active' }] });
    },
  );

  it('html also replaces an error of the gateway, such as the one for an invalid body', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { html: 502 });
    expect(await vendor.send('charges', { ...body, amount: -1 })).toMatchObject({
      status: 502,
      contentType: 'text/html',
    });
  });

  it('ignore_idempotency charges again for the same key', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { ignore_idempotency: true });
    const key = randomUUID();
    const first = await vendor.charge(body, key);
    const second = await vendor.charge(body, key);
    expect(second.id).not.toBe(first.id);
    expect((await vendor.charge(body, key)).id).toBe(second.id);
    expect(await captured(transactionId)).toBe(20_000);
  });

  it('duplicate_id returns the previous charge but commits the new one', async () => {
    const previous = await vendor.charge(payment().body);
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { duplicate_id: true });
    expect((await vendor.charge(body)).id).toBe(previous.id);
    expect(await captured(transactionId)).toBe(10_000);
  });

  it.each(['pending', 'refused'] as const)('recipient creates a recipient as %s', async (status) => {
    const reference = randomUUID();
    await control.script({ operation: 'recipient', transaction_id: reference }, { recipient: status });
    const information = {
      name: 'Loja',
      email: 'loja@example.com',
      document: '52998224725',
      type: 'individual',
    };
    expect(await vendor.sendAccepted('recipients', { reference, ...information })).toMatchObject({ status });
  });

  it('decline also applies to follow-ups and leaves the charge unchanged', async () => {
    const { transactionId, body } = payment();
    const { id } = await vendor.charge(body);
    await control.script({ transaction_id: transactionId, operation: 'refund' }, { decline: '96' });
    const refund = { reference: `${transactionId}-2-refund`, amount: 10_000 };
    expect(await vendor.sendAccepted(`charges/${id}/refunds`, refund)).toMatchObject({ status: 'declined' });
    expect((await control.ledger(transactionId)).totals.refunded).toBe(0);
  });

  it('advice is returned with a decline, and is rejected without one', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { decline: '05', advice: '03' });
    expect((await vendor.charge(body)).response).toEqual({
      code: '05',
      decline_class: null,
      message: 'not authorized',
      advice_code: '03',
    });
    expect((await vendor.charge(payment().body)).response).toMatchObject({ advice_code: null });
    await expect(control.script({}, { advice: '03' })).rejects.toThrow('advice requires decline');
  });

  it('decline applies to a pix', async () => {
    const { transactionId, body } = pixPayment();
    await control.script({ transaction_id: transactionId }, { decline: '96' });
    expect(await vendor.charge(body)).toMatchObject({ status: 'declined', response: { code: '96' } });
  });
});

describe('test cards', () => {
  const withCard = (changes: object) => payment({ card: { ...payment().body.card, ...changes } });

  it.each(['4000000000000010', '4111111111111111', '5555555555554444', '30569309025904'])(
    '%s is approved',
    async (number) => {
      expect(await vendor.charge(withCard({ number }).body)).toMatchObject({ status: 'approved' });
    },
  );

  it.each([
    ['4000000000000002', '05'],
    ['4000000000009995', '51'],
    ['4000000000009987', '41'],
    ['4000000000009979', '43'],
    ['4000000000000003', '14'],
  ])('%s is declined with %s', async (number, code) => {
    expect(await vendor.charge(withCard({ number }).body)).toMatchObject({
      status: 'declined',
      response: { code },
    });
  });

  it.each([
    ['5100000000000024', '51', '24'],
    ['5100000000000503', '05', '03'],
  ])('%s is declined with %s and advice %s', async (number, code, advice_code) => {
    expect(await vendor.charge(withCard({ number }).body)).toMatchObject({
      status: 'declined',
      response: { code, advice_code },
    });
  });

  it('4000000000000341 is approved while the customer takes part, and declined without the customer', async () => {
    const number = '4000000000000341';
    const charge = (initiation: object) => vendor.charge({ ...withCard({ number }).body, initiation });
    const first = await charge({ initiator: 'customer', reason: 'first_recurring' });
    expect(first).toMatchObject({ status: 'approved', network_ids: expect.any(Object) });
    const { network_ids } = first;
    expect(await charge({ initiator: 'merchant', reason: 'recurring', network_ids })).toMatchObject({
      status: 'declined',
      response: { code: '51', advice_code: null },
    });
  });

  it.each([
    ['visa', {}, 'network_transaction_id'],
    ['mastercard', { network_transaction_id: '1' }, 'transaction_link_id'],
    ['elo', { network_transaction_id: '1', transaction_link_id: '2' }, 'elo_reference'],
  ])(
    'a merchant-initiated charge of a %s card with only the ids %j is refused for its %s',
    async (brand, ids, missing) => {
      const { transactionId, body } = withCard({ brand });
      const none = { network_transaction_id: null, transaction_link_id: null, elo_reference: null };
      for (const network_ids of [null, { ...none, ...ids }]) {
        const initiation = { initiator: 'merchant', reason: 'recurring', network_ids };
        const refused = await vendor.send('charges', { ...body, initiation });
        expect(refused.status).toBe(422);
        if (network_ids !== null) expect(refused.text).toContain(missing);
      }
      expect(await captured(transactionId)).toBe(0);
    },
  );

  it('an expired card is declined with 54', async () => {
    const reply = await vendor.charge(withCard({ expire_month: 1, expire_year: 2020 }).body);
    expect(reply).toMatchObject({ status: 'declined', response: { code: '54' } });
  });

  it('4000000000000119 is answered with 503 and commits nothing', async () => {
    const { transactionId, body } = withCard({ number: '4000000000000119' });
    expect(await statusOf(body)).toBe(503);
    expect((await control.ledger(transactionId)).entries).toEqual([]);
  });
});
