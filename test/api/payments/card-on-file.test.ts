import { paymentRequest, rawCard } from '../../support/fixtures/payments';
import { expectStatus, type ApiClient } from '../support/api-client';
import { registerWithGateways, startEngineApi, type EngineApi } from '../support/engine-api';

let api: EngineApi;
let client: ApiClient;
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
});
afterAll(() => api.stop());
beforeEach(async () => {
  client = await registerWithGateways(api, ['gateway_1', 'gateway_2']);
});

async function pay(change: object = {}) {
  return expectStatus(await client('createCardPayment', { body: paymentRequest(change) }), 200).body;
}

/** Saves a card with an approved payment. */
async function saveCard(number = '5555555555554444') {
  const body = await pay({ card: rawCard(number), save_card: true });
  return { body, card: { token: body.card?.token ?? '' } };
}

const atGateway = async (transactionId: string) => {
  const [request] = await api.engine.simulator.requests(transactionId);
  return { gateway: request?.gateway, ...request?.initiation };
};

async function networkIdsOf(transactionId: string) {
  const [attempt] = await api.engine.context.attempts.listByTransaction(transactionId);
  return attempt?.networkIds ?? null;
}

describe('the initiator and the reason of a payment', () => {
  it('are shown with the payment and sent to the gateway', async () => {
    const oneOff = await pay();
    const { body: saving, card } = await saveCard();
    const saved = await pay({ card });
    const unscheduled = await pay({ card, initiator: 'merchant' });
    const expected = [
      [oneOff, 'customer', 'one_off'],
      [saving, 'customer', 'first_saved'],
      [saved, 'customer', 'saved_card'],
      [unscheduled, 'merchant', 'unscheduled'],
    ] as const;
    for (const [body, initiator, reason] of expected) {
      expect(body).toMatchObject({ status: 'approved', initiator, charge_reason: reason });
      expect(await atGateway(body.transaction_id)).toMatchObject({ initiator, reason });
    }
  });
});

describe('a saved card that is charged without the customer', () => {
  it('is charged with the network ids of its first transaction, also at another gateway', async () => {
    const { body: first, card } = await saveCard();
    await pay({ card });
    const ids = await networkIdsOf(first.transaction_id);
    expect(ids).toMatchObject({ transactionLinkId: expect.stringMatching(/^[\w-]{22}$/) });
    const { transaction_id } = await pay({ card, initiator: 'merchant', gateway_first_try: 'gateway_2' });
    expect(await atGateway(transaction_id)).toMatchObject({
      gateway: 'gateway_2',
      network_ids: {
        network_transaction_id: ids?.transactionId,
        transaction_link_id: ids?.transactionLinkId,
      },
    });
  });

  it('is refused by the gateway until the customer has paid with it, if no network ids are known', async () => {
    const { card } = await saveCard();
    await api.engine.context.db.query('UPDATE customer_cards SET network_ids = NULL WHERE token = $1', [
      card.token,
    ]);
    expect(await pay({ card, initiator: 'merchant' })).toMatchObject({
      ...{ status: 'failed', code: 'gateway_error', captured_amount: 0 },
      transactions: [{ status: 'error', response_code: 'network_ids_required' }],
    });
    const paid = await pay({ card });
    const { transaction_id } = await pay({ card, initiator: 'merchant' });
    const { transactionId } = (await networkIdsOf(paid.transaction_id)) ?? {};
    expect(await atGateway(transaction_id)).toMatchObject({
      network_ids: { network_transaction_id: transactionId },
    });
  });
});
