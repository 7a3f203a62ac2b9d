import { expectStatus, type ApiClient } from '../../api/support/api-client';
import { startEngineApi, type EngineApi } from '../../api/support/engine-api';
import { registerCompanyWithUser } from '../../api/support/manual-resolution';
import { sale } from '../../api/support/payment-scenario';
import { newRecipient, percentage } from '../../support/fixtures/splits';
import type { PaymentBody } from '../../../src/presenters/payment';
import { ReportedDispute, untilDispute } from './dispute-scenario';

let api: EngineApi;
let byKey: ApiClient;
let byToken: ApiClient;
let recipients: { readonly liable: string; readonly other: string };
beforeAll(async () => {
  api = await startEngineApi({}, { workers: 'payments' });
  const company = await registerCompanyWithUser(api);
  ({ byKey, byToken } = company);
  const { client_id: clientId } = company.user.registered.company;
  const row = await api.engine.context.companies.findByClientId(clientId);
  if (row === null) throw new Error('the company is not registered');
  const create = () => newRecipient(api.engine, row.company);
  recipients = { liable: await create(), other: await create() };
});
afterAll(() => api.stop());

/** What the entries about disputes post to each account in all, without those that sum to nothing. */
async function disputeTotals({ transaction_id }: PaymentBody): Promise<Record<string, number>> {
  const { data } = expectStatus(await byToken('listLedgerEntries', { query: { transaction_id } }), 200).body;
  const totals = new Map<string, number>();
  for (const { account, recipient_id, amount } of data
    .filter(({ kind }) => kind.startsWith('dispute'))
    .flatMap(({ postings }) => postings)) {
    const key = recipient_id ?? account;
    totals.set(key, (totals.get(key) ?? 0) + amount);
  }
  return Object.fromEntries([...totals].filter(([, total]) => total !== 0));
}

it('a lost dispute is borne by the liable recipients in proportion to their shares, until the gateway returns the money', async () => {
  const { liable, other } = recipients;
  const splits = [
    percentage(liable, 70, { liable: true }),
    percentage(other, 30, { liable: false, charge_processing_fee: true }),
  ];
  const payment = await sale(byKey, { amount: 5_000, splits });
  const dispute = new ReportedDispute(api, payment);
  await dispute.report({ status: 'opened', amount: 4_000, after: 0 });
  await untilDispute(byToken, payment, 'opened');
  expect(await disputeTotals(payment)).toEqual({ dispute_hold: 4_000, gateway_receivable: -4_000 });
  await dispute.report({ status: 'lost', amount: 4_000, after: 10 });
  await untilDispute(byToken, payment, 'lost');
  expect(await disputeTotals(payment)).toEqual({
    gateway_receivable: -4_000,
    [liable]: 2_800,
    dispute_losses: 1_200,
  });
  await dispute.report({ status: 'won', amount: 4_000, returned_amount: 4_000, after: 20 });
  await untilDispute(byToken, payment, 'won');
  expect(await disputeTotals(payment)).toEqual({});
});
