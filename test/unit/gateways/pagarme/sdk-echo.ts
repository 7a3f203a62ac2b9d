import {
  ChargesController,
  Client,
  OrdersController,
  RecipientsController,
  type CreateCancelChargeRequest,
  type CreateCaptureChargeRequest,
  type CreateOrderRequest,
  type CreateRecipientRequest,
} from '@pagarme/pagarme-nodejs-sdk';
import type { SdkModels } from '../../../gateways/vendors/sdk-models-check';

type Hash = Record<string, unknown>;
const isHash = (value: unknown): value is Hash =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Marks what the SDK demands and the API does not. */
const DEMANDED = '(demanded by the SDK)';
const DEMANDED_NUMBER = 987_654_321;

interface SdkRequest {
  readonly url: string;
  readonly method: string;
  readonly data: string;
}

/** What Pagar.me's SDK sends for the same request: it drops what it does not know, and refuses wrong types. */
export class SdkEcho {
  private readonly sent: SdkRequest[] = [];
  private readonly client = new Client({
    basicAuthCredentials: { username: 'sk_test_stub', password: '' },
    unstable_httpClientOptions: {
      adapter: (config: SdkRequest) => {
        this.sent.push(config);
        return Promise.resolve({ status: 200, statusText: 'OK', data: '{}', headers: {}, config });
      },
    },
  });

  constructor(private readonly document: SdkModels) {}

  order(body: unknown) {
    const request = this.completed(body, 'createOrderRequest') as unknown as CreateOrderRequest;
    return this.echo(() => new OrdersController(this.client).createOrder(request, 'key'));
  }

  capture(body: unknown) {
    const request = this.completed(
      body,
      'createCaptureChargeRequest',
    ) as unknown as CreateCaptureChargeRequest;
    return this.echo(() => new ChargesController(this.client).captureCharge('ch_1', request, 'key'));
  }

  cancel(body: unknown) {
    const request = this.completed(body, 'createCancelChargeRequest') as unknown as CreateCancelChargeRequest;
    return this.echo(() => new ChargesController(this.client).cancelCharge('ch_1', request, 'key'));
  }

  recipient(body: unknown) {
    const request = this.completed(body, 'createRecipientRequest') as unknown as CreateRecipientRequest;
    return this.echo(() => new RecipientsController(this.client).createRecipient(request, 'key'));
  }

  private async echo(call: () => Promise<unknown>): Promise<{ method: string; path: string; body: unknown }> {
    const failure: unknown = await call().catch((error: unknown) => error);
    const sent = this.sent.pop();
    if (sent === undefined) throw failure;
    const path = sent.url.replace('https://api.pagar.me/core/v5/', '').toLowerCase();
    return { method: sent.method.toUpperCase(), path, body: withoutDemanded(JSON.parse(sent.data)) };
  }

  /** In the SDK's names, with marks in place of what its models demand besides. */
  private completed(value: unknown, model: string): Hash {
    const fields = this.document.models[model] ?? {};
    const given = isHash(value) ? value : {};
    const missing = Object.entries(fields).filter(([name, type]) => !type.endsWith('?') && !(name in given));
    const entries = [
      ...Object.entries(given).map(([name, inner]) => [name, this.inner(inner, fields[name])] as const),
      ...missing.map(([name, type]) => [name, this.mark(type)] as const),
    ];
    return Object.fromEntries(entries.map(([name, inner]) => [camel(name), inner]));
  }

  private inner(value: unknown, type = 'unknown'): unknown {
    const plain = type.replace(/\?$/, '').replace(/\|null$/, '');
    const list = /^array\((.*)\)$/.exec(plain)?.[1];
    if (list !== undefined && Array.isArray(value)) return value.map((item) => this.inner(item, list));
    if (!plain.startsWith('@')) return isHash(value) ? this.completed(value, '') : value;
    return this.completed(value, plain.slice(1));
  }

  private mark(type: string): unknown {
    const plain = type.replace(/\|null$/, '');
    if (plain.startsWith('@')) return this.completed({}, plain.slice(1));
    if (plain.startsWith('array')) return [];
    if (plain.startsWith('dict')) return {};
    return plain === 'string' ? DEMANDED : DEMANDED_NUMBER;
  }
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Empty objects and lists are left out too: the SDK demands some. */
function withoutDemanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDemanded);
  if (!isHash(value)) return value;
  const kept = Object.entries(value)
    .map(([name, inner]) => [name, withoutDemanded(inner)] as const)
    .filter(([, inner]) => inner !== DEMANDED && inner !== DEMANDED_NUMBER && !isEmpty(inner));
  return Object.fromEntries(kept);
}

const isEmpty = (value: unknown): boolean =>
  (isHash(value) && Object.keys(value).length === 0) || (Array.isArray(value) && value.length === 0);
