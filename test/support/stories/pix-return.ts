import { sandboxAccount } from '../../../src/gateways/sandbox-accounts';
import type { PaymentBody } from '../../../src/presenters/payment';
import { expectStatus } from '../../api/support/api-client';
import { pendingRequest, untilStatus } from '../../api/support/payment-scenario';
import { onlyDispute } from '../../workflows/disputes/dispute-scenario';
import type { SimulatorProcess } from '../stack/simulator';
import { waitFor } from '../stack/wait-for';
import type { StoryMerchant } from './fraud-chargeback';

export const PIX_SLUG = 'gateway_5';
export const PIX_DRIVER = { GATEWAY_5_DRIVER: 'pix-bacen' };

/** The settings of an engine whose `gateway_5` is a bank that speaks the Pix API. */
export function pixSettings({ url }: Pick<SimulatorProcess, 'url'>): Record<string, string> {
  const bank = `${url}/${PIX_SLUG}`;
  return { ...PIX_DRIVER, GATEWAY_5_URL: `${bank}/api/v2`, GATEWAY_5_OAUTH_URL: `${bank}/oauth/token` };
}

/** Makes that bank the company's gateway, and has it call the company back. */
export async function connectBank({ api, byKey }: StoryMerchant, bank: SimulatorProcess): Promise<void> {
  const { values, clientId } = sandboxAccount('pix-bacen', PIX_SLUG);
  const account = { gateway_slug: PIX_SLUG, secret_key: values.secretKey, client_id: clientId } as const;
  const gateways = [{ ...account, credentials: values.credentials }];
  expectStatus(await byKey('saveGateways', { body: { gateways } }), 200);
  await bank.control.setUpAccount(values.secretKey, { callback_url: `${api.baseUrl}/api/v1` });
}

export async function paidPix(
  { byKey }: StoryMerchant,
  bank: SimulatorProcess,
  request: { readonly amount: number; readonly merchant_order_id?: string },
): Promise<PaymentBody> {
  // Not `pendingPix`: the script of the pictures has no `expect`.
  const created = await byKey('createPixPayment', { body: pendingRequest(request) });
  const payment = expectStatus(created, 200).body;
  await bank.control.pay(payment.transaction_id);
  return untilStatus(byKey, payment, 'approved');
}

/** Sweeps meanwhile: an inquiry leaves what it shows about disputes to the sweeper. */
export function untilReturn({ api, byToken }: StoryMerchant, payment: PaymentBody, status: string) {
  return waitFor(
    async () => {
      await api.engine.sweeper.sweepOnce();
      const query = { transaction_id: payment.transaction_id };
      const { data } = expectStatus(await byToken('listDisputes', { query }), 200).body;
      return data[0]?.status === status && (await onlyDispute(byToken, payment));
    },
    { what: `a dispute that is ${status}`, everyMs: 200 },
  );
}
