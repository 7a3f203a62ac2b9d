import { randomUUID } from 'node:crypto';
import { toCompactReference } from '../../../../src/gateways/compact-reference';
import type { SimulatorControl } from '../../../support/stack/simulator';
import { waitFor } from '../../../support/stack/wait-for';
import { VendorSimulator } from '../vendor-simulator';

export const WEBHOOK_TOKEN = 'token-da-url';
const SLUG = 'gateway_6';
const SCOPES = 'cob.write cob.read pix.write pix.read';

/** What tests read of an answer by name; everything else is compared as a whole. */
export interface Body {
  readonly txid: string;
  readonly status: string;
  readonly pixCopiaECola: string;
  readonly pix: readonly [{ readonly endToEndId: string; readonly devolucoes: readonly object[] }];
  readonly cobs: readonly { readonly txid: string }[];
  readonly access_token: string;
}

export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly body: Body;
  readonly text: string;
}

interface SendOptions {
  /** By default one that is kept for the tests. */
  readonly token?: string;
  /** Beside the simulator, for example a proxy in front of it. */
  readonly base?: string;
}

/** Requests to a simulator that speaks the Pix API at gateway_6. */
export class PixBench {
  private token: string | null = null;

  private constructor(private readonly fake: VendorSimulator) {}

  static async start({ searchLagMs = 0 } = {}): Promise<PixBench> {
    const options = { slug: SLUG, vendor: 'pix-bacen', webhookSecret: WEBHOOK_TOKEN, searchLagMs } as const;
    return new PixBench(await VendorSimulator.start(options));
  }

  get control(): SimulatorControl {
    return this.fake.control;
  }

  get url(): string {
    return this.fake.urlOf('').replace(/\/$/, '');
  }

  /** The webhooks that name this transaction, as soon as there are that many. */
  async webhooks(txid: string, count = 1) {
    const matching = () => this.fake.received.filter(({ body }) => body.toString().includes(`"${txid}"`));
    await waitFor(() => Promise.resolve(matching().length >= count), {
      what: `${count} webhooks of ${txid}`,
    });
    return matching().map(({ body, path, query }) => ({
      path,
      query,
      body: JSON.parse(body.toString()) as Body,
    }));
  }

  /** `POST /oauth/token`. */
  async authorize(secret = 'secret_of_the_bench', fields: Record<string, string> = {}): Promise<Answer> {
    const form = new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES, ...fields });
    const response = await fetch(`${this.url}/oauth/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`client:${secret}`).toString('base64')}`,
        connection: 'close',
      },
      body: form,
    });
    return answerOf(response);
  }

  async send(method: string, path: string, body?: object, options: SendOptions = {}): Promise<Answer> {
    const { base = this.url, token = (this.token ??= (await this.authorize()).body.access_token) } = options;
    const response = await fetch(`${base}/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return answerOf(response);
  }

  get(path: string, options: SendOptions = {}): Promise<Answer> {
    return this.send('GET', path, undefined, options);
  }

  dataOnDisk(): string {
    return this.fake.dataOnDisk();
  }

  stop(): Promise<void> {
    return this.fake.stop();
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as Body;
  return { status: response.status, type: response.headers.get('content-type'), text, body };
}

/** A charge of R$ 100. */
export class PixCharge {
  readonly transactionId = randomUUID();
  readonly txid = toCompactReference(`${this.transactionId}-1`);
  readonly refundId = toCompactReference(`${this.transactionId}-1-refund`);

  constructor(private readonly bench: PixBench) {}

  request(changes: object = {}): object {
    return {
      calendario: { expiracao: 3_600 },
      devedor: { cpf: '52998224725', nome: 'Tony Stark' },
      valor: { original: '100.00' },
      chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      solicitacaoPagador: 'Pedido 42',
      ...changes,
    };
  }

  put(changes: object = {}, options: SendOptions = {}): Promise<Answer> {
    return this.bench.send('PUT', `cob/${this.txid}`, this.request(changes), options);
  }

  patch(body: object, options: SendOptions = {}): Promise<Answer> {
    return this.bench.send('PATCH', `cob/${this.txid}`, body, options);
  }

  show(options: SendOptions = {}): Promise<Answer> {
    return this.bench.get(`cob/${this.txid}`, options);
  }

  /** Creates it, lets a customer pay it, and returns the payment's end-to-end id. */
  async paid(): Promise<string> {
    await this.put();
    await this.bench.control.pay(this.transactionId);
    return (await this.show()).body.pix[0].endToEndId;
  }

  refund(e2eId: string, valor: string, id = this.refundId, options: SendOptions = {}): Promise<Answer> {
    return this.bench.send('PUT', `pix/${e2eId}/devolucao/${id}`, { valor }, options);
  }

  async totals() {
    return (await this.bench.control.ledger(this.transactionId)).totals;
  }
}

export const REMOVED = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } as const;
