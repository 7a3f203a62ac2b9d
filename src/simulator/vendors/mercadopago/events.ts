import { createHmac, randomInt, randomUUID } from 'node:crypto';
import type { StoredCharge } from '../../charge-store';
import type { CallbackKind, CallbackMessage } from '../adapter';
import { instant, type MercadoPagoObject } from './endpoint';
import { chargebackIdOf, paymentIdOf, userIdOf } from './ids';

/** The webhooks about the last change of a charge: https://www.mercadopago.com.br/developers/en/docs/your-integrations/notifications/webhooks */
export function webhooksOf(charge: StoredCharge, kind: CallbackKind): CallbackMessage[] {
  const id = String(paymentIdOf(charge.id));
  const action = charge.operations.length === 1 && charge.paid === 0 ? 'payment.created' : 'payment.updated';
  if (kind !== 'chargeback') return [webhook(charge, 'payment', id, { action, data: { id } })];
  return [
    chargebackOf(charge),
    // The payment becomes `charged_back`, which is a change of it.
    webhook(charge, 'payment', id, { action: 'payment.updated', data: { id } }),
  ];
}

/** mercadopago/devsite-docs, pages on chargebacks: only `data.payment_id` names the payment. */
function chargebackOf(charge: StoredCharge): CallbackMessage {
  const id = chargebackIdOf(charge.id);
  return webhook(charge, 'topic_chargebacks_wh', String(id), {
    actions: ['changed_case_status'],
    data: {
      checkout: 'PRO',
      date_updated: '0001-01-01T00:00:00Z',
      id,
      payment_id: paymentIdOf(charge.id),
      product_id: 'C00A2J8RF4DI8BCIMFU0',
      site_id: 'MLB',
      transaction_intent_id: '',
    },
  });
}

/** The query names what the signature covers. The body, which is not signed, names it again. */
function webhook(
  charge: StoredCharge,
  type: string,
  dataId: string,
  fields: MercadoPagoObject,
): CallbackMessage {
  const event = {
    id: randomInt(100_000_000_000),
    // Measured: true in the test environment, too (see `MercadoPagoKeys`).
    live_mode: true,
    type,
    date_created: instant(new Date()),
    user_id: userIdOf(charge.account),
    api_version: 'v1',
    ...fields,
  };
  return {
    body: Buffer.from(JSON.stringify(event)),
    target: () => `?data.id=${dataId}&type=${type}`,
    sign: (secret, now) => signatureOf(secret, dataId, now),
  };
}

/** The page above, part on the secret signature: HMAC-SHA256 of the manifest, made anew for every delivery. */
export function signatureOf(secret: string, dataId: string, now: Date): Readonly<Record<string, string>> {
  const requestId = randomUUID();
  const ts = String(Math.floor(now.getTime() / 1000));
  const manifest = `id:${dataId};request-id:${requestId};ts:${ts};`;
  const v1 = createHmac('sha256', secret).update(manifest).digest('hex');
  return { 'x-signature': `ts=${ts},v1=${v1}`, 'x-request-id': requestId };
}
