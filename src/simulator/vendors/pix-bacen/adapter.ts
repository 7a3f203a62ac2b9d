import type { IncomingHttpHeaders } from 'node:http';
import type { StoredCharge, StoredDispute } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import { parseJson } from '../../exchange';
import type { SimulatorResponse } from '../../replies';
import type {
  CallbackKind,
  CallbackMessage,
  CallSummary,
  CoreError,
  PreparedWork,
  SimulatorCore,
  VendorCall,
  VendorHttpRequest,
  WireAdapter,
  WorkResult,
} from '../adapter';
import { followUpReference, ownReference } from '../our-reference';
import { centsOf, cobBody, cobRevision, refundIdPattern, refundRequest, txidPattern } from './bodies';
import { cobDataOf } from './cob-object';
import { patchCob, putCob } from './cobs';
import { invalidBody, problem, problemOfStatus, violation } from './problems';
import { listCobs, showCob, showPix, showRefund } from './reads';
import { putRefund } from './refunds';
import { PixTokens, type Scope } from './tokens';
import { webhooksOf } from './webhooks';

/** What one request asks for. */
interface PixEndpoint {
  readonly summary: Pick<CallSummary, 'operation' | 'amount' | 'reference' | 'purchase'>;
  readonly scope: Scope;
  /** What is wrong with the request; null if it is valid. */
  readonly invalid: SimulatorResponse | null;
  readonly run: (context: SimulatorRequestContext) => WorkResult;
}

/** The central bank's Pix API, as every bank offers it: https://github.com/bacen/pix-api, openapi.yaml 2.9.0. */
export class PixBacenAdapter implements WireAdapter {
  private readonly tokens: PixTokens;

  constructor(
    private readonly core: SimulatorCore,
    private readonly options: { readonly searchLagMs: number },
  ) {
    this.tokens = new PixTokens(
      (secret) => !secret.startsWith('sk_invalid') && !core.accounts.isRevoked(secret),
    );
  }

  secretOf(headers: IncomingHttpHeaders): string | null {
    return this.tokens.secretOf(headers);
  }

  /** RFC 6750, section 3.1; the document has no answer for it. */
  errorOf(error: CoreError): SimulatorResponse {
    switch (error) {
      case 'unauthenticated':
        return {
          status: 401,
          headers: { 'www-authenticate': 'Bearer error="invalid_token"' },
          body: { error: 'invalid_token' },
        };
      case 'not_found':
        return problem('NaoEncontrado');
      case 'unavailable':
        return problem('ServicoIndisponivel');
    }
  }

  callbacksOf(charge: StoredCharge, kind: CallbackKind, dispute?: StoredDispute): readonly CallbackMessage[] {
    return webhooksOf(this.core, charge, kind, dispute);
  }

  receive(request: VendorHttpRequest): VendorCall | null {
    const { gateway, method, headers, body } = request;
    // Banks put the API below a path of their own: https://pix.example.com/api/v2/cob.
    const path = request.path.filter(
      (segment, index) => index > 1 || (segment !== 'api' && segment !== 'v2'),
    );
    if (method === 'POST' && path.join('/') === 'oauth/token')
      return publicCall(() => this.tokens.issue(headers, body));
    const endpoint = this.endpoint({ ...request, path });
    if (endpoint === null) return null;
    const { summary, scope, invalid } = endpoint;
    return {
      ...summary,
      idempotencyKey: null,
      prepare: (account, behavior): PreparedWork => {
        const refusal = this.tokens.allows(headers, scope) ? invalid : problem('AcessoNegado');
        const context = { gateway, account, behavior, idempotencyKey: null };
        return {
          run: () => (refusal === null ? endpoint.run(context) : { response: refusal }),
          fail: problemOfStatus,
          finish: () => undefined,
        };
      },
    };
  }

  private endpoint(request: VendorHttpRequest): PixEndpoint | null {
    const [resource, id, action, refundId, ...rest] = request.path;
    if (rest.length > 0) return null;
    if (resource === 'cob' && action === undefined)
      return id === undefined ? this.cobList(request) : this.cob(request, id);
    if (resource !== 'pix' || id === undefined) return null;
    if (action === undefined) return this.pix(request, id);
    return action === 'devolucao' && refundId !== undefined ? this.refund(request, id, refundId) : null;
  }

  private cobList({ method, query }: VendorHttpRequest): PixEndpoint | null {
    if (method !== 'GET') return null;
    return read('cob.read', null, (context) => listCobs(this.core, context, query, this.options.searchLagMs));
  }

  private cob({ gateway, method, query, body: text }: VendorHttpRequest, txid: string): PixEndpoint | null {
    const reference = ownReference(txid);
    const wrongId = txidPattern.test(txid)
      ? null
      : violation('CobOperacaoInvalida', 'txid', 'O parâmetro txid não respeita o _schema_.');
    switch (method) {
      case 'GET':
        return read('cob.read', reference, (context) => showCob(this.core, context, txid, query));
      case 'PUT': {
        const parsed = cobBody.safeParse(parseJson(text));
        const amount = parsed.success ? centsOf(parsed.data.valor.original) : null;
        return {
          summary: {
            operation: 'charge',
            ...{ amount, reference },
            ...(parsed.success && { purchase: { solicitacaoPagador: parsed.data.solicitacaoPagador } }),
          },
          scope: 'cob.write',
          invalid:
            wrongId ?? (parsed.success ? null : invalidBody('CobOperacaoInvalida', 'cob', parsed.error)),
          run: (context) =>
            parsed.success
              ? putCob(this.core, context, txid, parsed.data)
              : { response: problemOfStatus(400) },
        };
      }
      case 'PATCH': {
        const parsed = cobRevision.safeParse(parseJson(text));
        const charge = this.core.store
          .withReference(gateway, reference)
          .findLast((each) => cobDataOf(each).txid === txid);
        const own = charge === undefined ? reference : followUpReference(charge, 'cancel', []);
        return {
          summary: { operation: 'cancel', amount: charge?.amount ?? null, reference: own },
          scope: 'cob.write',
          invalid:
            wrongId ?? (parsed.success ? null : invalidBody('CobOperacaoInvalida', 'cob', parsed.error)),
          run: (context) =>
            parsed.success
              ? patchCob(this.core, context, txid, parsed.data)
              : { response: problemOfStatus(400) },
        };
      }
      default:
        return null;
    }
  }

  private pix({ method }: VendorHttpRequest, e2eId: string): PixEndpoint | null {
    if (method !== 'GET') return null;
    return read('pix.read', null, (context) => showPix(this.core, context, e2eId));
  }

  private refund({ method, body: text }: VendorHttpRequest, e2eId: string, id: string): PixEndpoint | null {
    const reference = ownReference(id);
    if (method === 'GET')
      return read('pix.read', reference, (context) => showRefund(this.core, context, e2eId, id));
    if (method !== 'PUT') return null;
    const parsed = refundRequest.safeParse(parseJson(text));
    const wrongId = refundIdPattern.test(id)
      ? null
      : violation('PixDevolucaoInvalida', 'id', 'O parâmetro id não respeita o _schema_.');
    return {
      summary: { operation: 'refund', amount: parsed.success ? centsOf(parsed.data.valor) : null, reference },
      scope: 'pix.write',
      invalid:
        wrongId ?? (parsed.success ? null : invalidBody('PixDevolucaoInvalida', 'devolucao', parsed.error)),
      run: (context) =>
        parsed.success
          ? putRefund(this.core, context, { e2eId, id, body: parsed.data })
          : { response: problemOfStatus(400) },
    };
  }
}

function read(
  scope: Scope,
  reference: string | null,
  respond: (context: SimulatorRequestContext) => SimulatorResponse,
): PixEndpoint {
  return {
    summary: { operation: 'inquiry', amount: null, reference },
    scope,
    invalid: null,
    run: (context) => ({ response: respond(context) }),
  };
}

/** A request that is neither scripted nor logged, and proves itself. */
function publicCall(respond: () => SimulatorResponse): VendorCall {
  return {
    operation: null,
    amount: null,
    reference: null,
    idempotencyKey: null,
    isPublic: true,
    prepare: () => ({ run: () => ({ response: respond() }), fail: problemOfStatus, finish: () => undefined }),
  };
}
