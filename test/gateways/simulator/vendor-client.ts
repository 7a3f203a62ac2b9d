import { randomUUID } from 'node:crypto';
import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { OperationReply } from '../../../src/gateways/simulator/wire';

/** Any secret key that does not begin with `sk_invalid` is valid. */
export const SECRET = 'sk_test';

/** A plain HTTP client of the simulator's protocol, for requests that the driver does not make. */
export class VendorClient {
  constructor(
    private readonly url: string,
    private readonly slug: GatewaySlug,
    private readonly secret = SECRET,
  ) {}

  /** A POST, or a GET if the body is null. */
  async send(
    path: string,
    body: object | null,
    key: string = randomUUID(),
  ): Promise<{ status: number; contentType: string | null; text: string }> {
    const response = await fetch(`${this.url}/${this.slug}/${path}`, {
      method: body === null ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${this.secret}`, 'idempotency-key': key },
      body: body === null ? null : JSON.stringify(body),
      redirect: 'manual',
    });
    const { status, headers } = response;
    return { status, contentType: headers.get('content-type'), text: await response.text() };
  }

  /** Throws unless the response status is 200. A decline has status 200. */
  async sendAccepted(path: string, body: object, key?: string): Promise<OperationReply> {
    const { status, text } = await this.send(path, body, key);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
    return JSON.parse(text) as OperationReply;
  }

  /** Creates a charge; `payment()` returns a body. */
  charge(body: object, key?: string): Promise<OperationReply> {
    return this.sendAccepted('charges', body, key);
  }
}

export function payment(changes: object = {}) {
  const transactionId = randomUUID();
  const body = {
    reference: `${transactionId}-1`,
    amount: 10_000,
    currency: 'BRL',
    method: 'card',
    customer: { name: 'Ana Lima', email: 'ana@example.com', document: '52998224725' },
    card: {
      number: '4000000000000010',
      cvv: '123',
      holder_name: 'ANA LIMA',
      expire_month: 12,
      expire_year: new Date().getUTCFullYear() + 1,
      brand: 'visa',
    },
    ...changes,
  };
  return { transactionId, body };
}

export function pixPayment(changes: object = {}) {
  return payment({ method: 'pix', card: null, ...changes });
}

export function billetPayment(changes: object = {}) {
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString();
  const dates = { due_at: inDays(3).slice(0, 10), expires_at: inDays(6) };
  return payment({ method: 'billet', card: null, ...dates, ...changes });
}
