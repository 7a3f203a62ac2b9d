import { createHash, randomUUID } from 'node:crypto';
import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { sale } from '../../api/support/payment-scenario';
import { startSimulatorProcess, type SimulatorProcess } from '../../support/stack/simulator';
import { untilDispute } from '../../workflows/disputes/dispute-scenario';

const DRIVER = { GATEWAY_1_DRIVER: 'stripe' };

let simulator: SimulatorProcess;
let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
beforeAll(async () => {
  simulator = await startSimulatorProcess({ settings: DRIVER });
  const url = `${simulator.url}/gateway_1`;
  const urls = { GATEWAY_1_URL: url, GATEWAY_1_FILES_URL: `${url}/files` };
  api = await startEngineApi({ ...DRIVER, ...urls }, { workers: 'payments' });
  const company = await registerCompanyWithUser(api);
  ({ byKey, byToken } = company);
  await simulator.control.setUpAccount(`sk_test_${company.keys['X-Client-ID']}`, {
    callback_url: `${api.baseUrl}/api/v1`,
  });
});
afterAll(async () => {
  await api.stop();
  await simulator.dispose();
});

async function openedDispute() {
  const payment = await sale(byKey, { amount: 1_000 });
  const { id: gatewayId } = await simulator.control.openDispute(payment.transaction_id, { amount: 600 });
  return { payment, gatewayId, dispute: await untilDispute(byToken, payment, 'opened') };
}

describe('a dispute at Stripe', () => {
  it('gets its evidence with uploaded files once, and stays submitted until Stripe decides', async () => {
    const { payment, gatewayId, dispute } = await openedDispute();
    const params = { id: dispute.id };
    const bytes = Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.from([0, 255, 13, 10]),
      Buffer.from(randomUUID()),
    ]);
    const file = {
      name: 'recibo ç.pdf',
      content_type: 'application/pdf',
      content: bytes.toString('base64'),
    } as const;
    expectStatus(await byToken('addEvidence', { params, body: { kind: 'receipt', file } }), 201);
    const said = { kind: 'customer_communication', text: 'Obrigada, chegou!' } as const;
    expectStatus(await byToken('addEvidence', { params, body: said }), 201);
    expectStatus(await byToken('submitDispute', { params }), 202);
    await untilDispute(byToken, payment, 'submitted');
    const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
    const text = `Communication with the customer:\n${said.text}`;
    expect((await simulator.control.dispute(gatewayId)).evidence).toEqual([
      { kind: 'receipt', bytes: bytes.length, sha256: sha256(bytes) },
      { kind: 'uncategorized_text', bytes: Buffer.byteLength(text), sha256: sha256(text) },
    ]);
    await simulator.control.changeDispute(gatewayId, { status: 'won' });
    await untilDispute(byToken, payment, 'won');
  });

  it('is accepted once, also if the answer is lost', async () => {
    const { payment, dispute } = await openedDispute();
    const { transaction_id } = payment;
    await simulator.control.script({ transaction_id, operation: 'dispute' }, { drop: 'after' });
    expectStatus(await byToken('acceptDispute', { params: { id: dispute.id } }), 202);
    await untilDispute(byToken, payment, 'accepted');
    const requests = await simulator.control.requests(transaction_id);
    expect(requests.filter(({ operation }) => operation === 'dispute')).toHaveLength(1);
  });
});
