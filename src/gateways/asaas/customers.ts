import { createHash } from 'node:crypto';
import type { GatewayContext, GatewayCustomer } from '../gateway';
import { requiredDocument } from '../customers/required-document';
import { call, get } from './calls';
import { beforeCharge } from './errors';
import { customerList, customerReply } from './wire';

/**
 * The id of the customer at Asaas: a payment needs one. Asaas keeps as many customers with one document as are created, so
 * ours is found by a key of its data. Another program's customer with the same document may have another e-mail address and
 * be sent notifications, so it is left alone.
 */
export function customerId(ctx: GatewayContext, customer: GatewayCustomer): Promise<string> {
  return beforeCharge(findOrCreate(ctx, customer));
}

async function findOrCreate(ctx: GatewayContext, customer: GatewayCustomer): Promise<string> {
  const { sendBefore } = ctx;
  const externalReference = customerKey(customer);
  const { data } = await get(ctx, 'customers', customerList, {
    query: { externalReference, limit: '10' },
    sendBefore,
  });
  const known = data.find((each) => each.externalReference === externalReference && !each.deleted);
  if (known !== undefined) return known.id;
  const body = {
    name: customer.name,
    cpfCnpj: requiredDocument(customer),
    email: customer.email,
    externalReference,
    // Asaas would send its own e-mails and text messages, and charge the company for them.
    notificationDisabled: true,
  };
  const created = await call(ctx, { method: 'POST', path: 'customers', body, sendBefore }, customerReply);
  return created.id;
}

/** The same for the same data, so that changed data makes another customer. */
export function customerKey({ name, email, document }: GatewayCustomer): string {
  return createHash('sha256')
    .update(JSON.stringify([document, email, name]))
    .digest('hex')
    .slice(0, 32);
}
