import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { startOwnSimulator, type SimulatorControl, type OwnSimulator } from '../../support/stack/simulator';
import { payment, pixPayment, VendorClient } from './vendor-client';

let simulator: OwnSimulator;
let control: SimulatorControl;
let vendor: VendorClient;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  control = simulator.control;
  vendor = new VendorClient(simulator.url, 'gateway_1');
});
afterAll(() => simulator.dispose());

const kinds = async (transactionId: string) =>
  (await control.ledger(transactionId)).entries.map(({ kind, amount }) => [kind, amount]);

describe('GET /_admin/ledger', () => {
  it('shows a sale as authorized and captured, with all entry fields', async () => {
    const { transactionId, body } = payment();
    await vendor.charge(body);
    const { entries, totals } = await control.ledger(transactionId);
    expect(entries.map((entry) => entry.kind)).toEqual(['authorized', 'captured']);
    expect(entries[0]).toMatchObject({ gateway: 'gateway_1', reference: body.reference, amount: 10_000 });
    expect(Date.parse(entries[0]?.created_at ?? '')).not.toBeNaN();
    expect(new Set(entries.map((entry) => entry.id)).size).toBe(2);
    expect(totals).toEqual({
      authorized: 10_000,
      captured: 10_000,
      canceled: 0,
      refunded: 0,
      held: 0,
      disputed: 0,
    });
    expect(ledgerViolations(entries)).toEqual([]);
  });

  it('shows a held authorization, the released rest of a partial capture, and refunds', async () => {
    const { transactionId, body } = payment();
    const { id } = await vendor.sendAccepted('authorizations', body);
    expect((await control.ledger(transactionId)).totals).toMatchObject({ captured: 0, held: 10_000 });
    await vendor.sendAccepted(`charges/${id}/captures`, {
      reference: `${transactionId}-2-capture`,
      amount: 7_000,
    });
    await vendor.sendAccepted(`charges/${id}/refunds`, {
      reference: `${transactionId}-3-refund`,
      amount: 1_000,
    });
    expect((await control.ledger(transactionId)).totals).toEqual({
      authorized: 10_000,
      captured: 7_000,
      canceled: 3_000,
      refunded: 1_000,
      held: 0,
      disputed: 0,
    });
  });

  it('shows what disputes have taken and not returned, after each decision', async () => {
    const { transactionId, body } = payment();
    await vendor.charge(body);
    const disputed = async () => (await control.ledger(transactionId)).totals.disputed;
    const { id } = await control.openDispute(transactionId, { amount: 3_000 });
    expect(await disputed()).toBe(3_000);
    await control.changeDispute(id, { status: 'won', returned: 1_000 });
    expect(await disputed()).toBe(2_000);
    await control.changeDispute(id, { status: 'reopened' });
    expect(await disputed()).toBe(3_000);
    await control.changeDispute(id, { status: 'lost' });
    expect(await disputed()).toBe(3_000);
    expect(ledgerViolations((await control.ledger(transactionId)).entries)).toEqual([]);
  });

  it('records a decline as a memo entry', async () => {
    const { transactionId, body } = payment({ card: { ...payment().body.card, number: '4000000000000002' } });
    expect(await vendor.charge(body)).toMatchObject({ status: 'declined', response: { code: '05' } });
    expect(await kinds(transactionId)).toEqual([['declined', 10_000]]);
    expect((await control.ledger(transactionId)).totals).toMatchObject({ authorized: 0, captured: 0 });
  });

  it('can be queried by reference, and is empty for an unknown payment', async () => {
    const { transactionId, body } = payment();
    await vendor.charge(body);
    const byReference = await fetch(`${simulator.url}/_admin/ledger?reference=${body.reference}`);
    expect(await byReference.json()).toEqual(await control.ledger(transactionId));
    expect((await control.ledger(payment().transactionId)).entries).toEqual([]);
  });

  it('shows splits with their recipients, after the fee of the flagged splits', async () => {
    const recipient = async (reference: string) => {
      const information = {
        name: 'Loja',
        email: 'loja@example.com',
        document: '52998224725',
        type: 'individual',
      };
      return (await vendor.sendAccepted('recipients', { reference, ...information })).id;
    };
    const [first, second] = [await recipient('first'), await recipient('second')];
    const split = { liable: true, charge_processing_fee: false };
    const { transactionId, body } = payment({
      splits: [
        { ...split, recipient_id: first, amount: 6_000 },
        { ...split, recipient_id: second, amount: 4_000, charge_processing_fee: true },
      ],
    });
    await control.script({ transaction_id: transactionId }, { fee: 300 });
    await vendor.charge(body);
    const { entries } = await control.ledger(transactionId);
    expect(entries.slice(2)).toMatchObject([
      { kind: 'fee', amount: 300 },
      { kind: 'split', amount: 6_000, recipient_id: first },
      { kind: 'split', amount: 3_700, recipient_id: second },
    ]);
    expect(ledgerViolations(entries)).toEqual([]);
  });
});

describe('GET /_admin/requests', () => {
  it('lists every request of a payment in order, with its outcome', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { drop: 'before' });
    await control.script({ transaction_id: transactionId }, { status: 503 });
    await expect(vendor.charge(body, 'key-of-this-test')).rejects.toThrow();
    await expect(vendor.charge(body)).rejects.toThrow('503');
    const { id } = await vendor.charge(body);
    await fetch(`${simulator.url}/gateway_1/charges/${id}`, {
      headers: { authorization: 'Bearer sk_invalid_1' },
    });
    const requests = await control.requests(transactionId);
    expect(requests.map(({ operation, answered }) => [operation, answered])).toEqual([
      ['charge', 'dropped'],
      ['charge', 503],
      ['charge', 200],
      ['inquiry', 401],
    ]);
    expect(requests[0]).toMatchObject({
      gateway: 'gateway_1',
      amount: 10_000,
      idempotency_key: 'key-of-this-test',
    });
    expect(requests[3]?.amount).toBeNull();
  });

  it('shows who initiated each charge and why, and one of a merchant with its network ids', async () => {
    const { transactionId, body } = payment();
    const network_ids = {
      network_transaction_id: '093146781204553',
      transaction_link_id: 'e7R9d3L2-Q9vS6pP1_WzEh',
      elo_reference: '31415926535897932384',
    };
    const initiation = { initiator: 'merchant', reason: 'unscheduled', network_ids };
    const { id } = await vendor.charge({ ...body, initiation });
    expect((await control.requests(transactionId)).map((request) => request.initiation)).toEqual([
      initiation,
    ]);
    const shown = await fetch(`${simulator.url}/gateway_1/charges/${id}`, {
      headers: { authorization: 'Bearer sk_test' },
    });
    expect(await shown.json()).toMatchObject({ initiation });
    const other = payment();
    await vendor.charge(other.body);
    expect((await control.requests(other.transactionId))[0]).toMatchObject({
      initiation: { initiator: 'customer', reason: 'one_off' },
    });
  });

  it('reports a hanging request as hung', async () => {
    const { transactionId, body } = payment();
    await control.script({ transaction_id: transactionId }, { hang: 'after' });
    const aborted = fetch(`${simulator.url}/gateway_1/charges`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(300),
    });
    await expect(aborted).rejects.toThrow();
    expect(await control.requests(transactionId)).toMatchObject([{ answered: 'hung' }]);
    expect((await control.ledger(transactionId)).totals.captured).toBe(10_000);
  });
});

describe('POST /_admin/pay', () => {
  it('pays a pending pix, once', async () => {
    const { transactionId, body } = pixPayment();
    expect(await vendor.charge(body)).toMatchObject({ status: 'pending' });
    expect(await control.pay(transactionId)).toMatchObject({ status: 'approved', paid_amount: 10_000 });
    expect(await kinds(transactionId)).toEqual([
      ['pending', 10_000],
      ['paid', 10_000],
      ['captured', 10_000],
    ]);
    await expect(control.pay(transactionId)).rejects.toThrow('422');
  });

  it('pays a partial amount, then the rest', async () => {
    const { transactionId, body } = pixPayment();
    await vendor.charge(body);
    expect(await control.pay(transactionId, 4_000)).toMatchObject({ status: 'pending', paid_amount: 4_000 });
    expect(await control.pay(transactionId)).toMatchObject({ status: 'approved', paid_amount: 10_000 });
  });

  it('pays a canceled pix', async () => {
    const { transactionId, body } = pixPayment();
    const { id } = await vendor.charge(body);
    await vendor.sendAccepted(`charges/${id}/cancels`, {
      reference: `${transactionId}-2-cancel`,
      amount: 10_000,
    });
    expect(await control.pay(transactionId)).toMatchObject({ status: 'approved' });
  });

  it('answers 404 for a card payment', async () => {
    const { transactionId, body } = payment();
    await vendor.charge(body);
    await expect(control.pay(transactionId)).rejects.toThrow('404');
  });
});

describe('POST /_admin/recipients', () => {
  it.each(['active', 'refused'] as const)('makes a pending recipient %s, once', async (status) => {
    const information = {
      name: 'Loja',
      email: 'loja@example.com',
      document: '11144477700',
      type: 'individual',
    };
    const { id } = await vendor.sendAccepted('recipients', { reference: `shop-${status}`, ...information });
    await control.decideRecipient(id, status);
    await expect(control.decideRecipient(id, status)).rejects.toThrow('404');
    const found = await fetch(`${simulator.url}/gateway_1/recipients?reference=shop-${status}`, {
      headers: { authorization: 'Bearer sk_test' },
    });
    expect(await found.json()).toMatchObject({ data: [{ id, status }] });
  });
});

describe('invalid input', () => {
  const post = (path: string, body: string) =>
    fetch(`${simulator.url}/_admin/${path}`, { method: 'POST', body });

  it.each([
    ['scripts', '{"behavior": {"explode": true}}', 422, 'explode'],
    ['scripts', '{"behavior": {}}', 422, 'at least one behaviour'],
    ['scripts', '{"match": {"gateway": "gateway_9"}, "behavior": {"status": 503}}', 422, 'gateway'],
    ['scripts', '{"match": {"color": 1}, "behavior": {"status": 503}}', 422, 'color'],
    ['scripts', '{"times": -1, "behavior": {"status": 503}}', 422, 'times'],
    ['scripts', '{"behavior": {"drop": "sometimes"}}', 422, 'drop'],
    ['scripts', '{not json', 400, 'not JSON'],
    ['scripts', '{"behavior": {"body": "json"}}', 422, 'body requires html'],
    ['scripts', '{"behavior": {"html": 403, "body": "xml"}}', 422, 'body'],
    ['refunds', '{}', 422, 'transaction_id'],
    ['refunds', '{"transaction_id": "x", "amount": 0}', 422, 'amount'],
    ['refunds', '{"transaction_id": "x"}', 404, 'no charge'],
    ['outages', '{"seconds": 5, "how": "503"}', 422, 'must name a gateway'],
    ['outages', '{"gateway": "gateway_9", "seconds": 5, "how": "503"}', 422, 'gateway'],
    ['outages', '{"gateway": "all", "seconds": 0, "how": "503"}', 422, 'seconds'],
    ['outages', '{"gateway": "all", "seconds": 5, "how": "slow"}', 422, 'how'],
    ['pay', '{}', 422, 'transaction_id'],
    ['pay', '{"transaction_id": "x", "amount": 0}', 422, 'amount'],
    ['callbacks', '{"transaction_id": "x", "times": 0}', 422, 'times'],
    ['callbacks', '{"transaction_id": "x"}', 404, 'no charge'],
    ['callbacks', '{"transaction_id": "x", "kind": "rumor"}', 422, 'kind'],
    ['recipients', '{"recipient_id": "x", "status": "active"}', 404, 'pending'],
    ['recipients', '{"recipient_id": "x", "status": "pending"}', 422, 'status'],
    ['accounts', '{"callback_url": null}', 422, 'secret'],
    ['accounts', '{"secret": "sk_test", "callback_url": "nowhere"}', 422, 'callback_url'],
    ['nothing', '{}', 404, 'no such control route'],
    ['ledger', '{}', 405, 'GET'],
  ])('POST %s %s is answered with %i and a reason', async (path, body, status, why) => {
    const response = await post(path, body);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(why);
  });

  it('POST callbacks without a callback URL is answered with 409', async () => {
    const { transactionId, body } = payment();
    await vendor.charge(body);
    const response = await post('callbacks', JSON.stringify({ transaction_id: transactionId }));
    expect(response.status).toBe(409);
    expect(await control.callbacks(transactionId)).toEqual([]);
  });

  it.each([
    ['gateway_8/charges', 404],
    ['gateway_1/payouts', 404],
    ['gateway_1/charges', 422],
  ])('POST /%s with an invalid body is answered with %i', async (path, status) => {
    const response = await fetch(`${simulator.url}/${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test' },
      body: '{"reference": "r", "amount": -5}',
    });
    expect(response.status).toBe(status);
  });
});

describe('POST /_admin/accounts', () => {
  const statusOf = async (secret: string, path: string) =>
    (await new VendorClient(simulator.url, 'gateway_1', secret).send(path, null)).status;

  it('makes a key show only the charges of its account', async () => {
    for (const [secret, account] of Object.entries({ sk_a: 'a', sk_a2: 'a', sk_b: 'b' }))
      await control.setUpAccount(secret, { account });
    const charge = await new VendorClient(simulator.url, 'gateway_1', 'sk_a').charge(payment().body);
    const shown = ['sk_a', 'sk_a2', 'sk_b', 'sk_without_account'].map((key) =>
      statusOf(key, `charges/${charge.id}`),
    );
    expect(await Promise.all(shown)).toEqual([200, 200, 404, 200]);
    const { text } = await new VendorClient(simulator.url, 'gateway_1', 'sk_b').send(
      `charges?reference=${charge.reference}`,
      null,
    );
    expect(JSON.parse(text)).toMatchObject({ data: [] });
  });

  it('revokes a key and restores it', async () => {
    expect(await statusOf('sk_revocable', 'account')).toBe(200);
    await control.setUpAccount('sk_revocable', { revoked: true });
    expect(await statusOf('sk_revocable', 'account')).toBe(401);
    await control.setUpAccount('sk_revocable', {});
    expect(await statusOf('sk_revocable', 'account')).toBe(200);
    expect(await statusOf('sk_invalid_key', 'account')).toBe(401);
  });
});
