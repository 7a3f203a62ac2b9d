import type { CredentialValues } from '../../domain/routing/credential-fields';
import type { Capabilities } from '../../domain/routing/routing';
import type { CallbackHint, CallbackProof, CallbackReading, RawCallback } from '../callback';
import { toCompactReference } from '../compact-reference';
import { GatewayError } from '../errors';
import type {
  ChargeRequest,
  FollowUp,
  GatewayContext,
  GatewayDriver,
  InquiryResult,
  InquirySubject,
  Outcome,
} from '../gateway';
import type { ClientCertificate } from '../http';
import { inquiryResult } from '../inquiry-result';
import { amountText } from './amounts';
import { readPixCallback, verifyPixCallback } from './callback';
import { call, requireSendWindow } from './calls';
import { certificateOf, PIX_CREDENTIAL_FIELDS, pixKeyOf } from './credentials';
import { canceledOutcome, findCharge, findReturn, inquire } from './inquiries';
import { chargeOutcome, returnOutcome } from './outcomes';
import {
  chargeList,
  chargeReply,
  type PixChargeRecord,
  type PixReturn,
  type PixTransfer,
  returnReply,
} from './wire';

/** Not documented: a request that the bank is still working on is unknown to it. */
const LOOKUP_SETTLES_MS = 10_000;
/** `CobExpiracao`: an int32. */
const MAX_EXPIRY_SECONDS = 2_147_483_647;
/** `CobBase.solicitacaoPagador` and `DevolucaoSolicitada.descricao` */
const MAX_TEXT = 140;
/** `PessoaFisica.nome` */
const MAX_NAME = 200;
const LISTED_MS = 60_000;

/** The central bank's Pix API, which every bank that receives pix offers: pix only, with our ids for charges and returns. */
export class PixBacenDriver implements GatewayDriver {
  readonly name = 'pix-bacen';
  readonly credentialFields = PIX_CREDENTIAL_FIELDS;
  readonly callbackProof: CallbackProof = {
    kind: 'static_token',
    coversBody: false,
    coversTime: false,
    headers: [],
  };

  clientCertificate(values: CredentialValues): ClientCertificate {
    return certificateOf(values);
  }

  /** Lists the charges of the last minute: the token, the certificate and the permission to read. */
  async verifyCredentials(ctx: GatewayContext): Promise<void> {
    const [inicio, fim] = [Date.now() - LISTED_MS, Date.now()].map((ms) => new Date(ms).toISOString());
    const query = new URLSearchParams({
      inicio: inicio ?? '',
      fim: fim ?? '',
      'paginacao.itensPorPagina': '1',
    });
    await call(ctx, { method: 'GET', path: `cob?${query.toString()}` }, chargeList);
  }

  capabilities(): Capabilities {
    return {
      methods: ['pix'],
      authorizeOnly: false,
      verifiesCards: false,
      partialCapture: false,
      partialRefund: true,
      refundMethods: ['pix'],
      pixExpiry: { kind: 'seconds', minSeconds: 1, maxSeconds: MAX_EXPIRY_SECONDS },
      billetDueDays: null,
      payableAfterExpiry: [],
      splits: 'none',
      maxRecipients: 0,
      splitCosts: 'platform',
      subAccounts: false,
      idempotency: 'lookup',
      replayWindowMs: 0,
      lookupSettlesMs: LOOKUP_SETTLES_MS,
      pendingOperations: ['refund'],
    };
  }

  /** `PUT /cob/{txid}`: a repeated request is the same charge, because the id is ours. */
  async charge(ctx: GatewayContext, request: ChargeRequest): Promise<Outcome> {
    const body = chargeBody(ctx, request);
    requireSendWindow(ctx);
    const txid = toCompactReference(request.reference);
    const charge = await call(ctx, { method: 'PUT', path: `cob/${txid}`, body }, chargeReply);
    const isOurs = charge.txid === txid && charge.valor.original === request.amountCents;
    const outcome = isOurs ? chargeOutcome(charge, new Date()) : null;
    return outcome ?? unknownOutcome();
  }

  authorize(): Promise<Outcome> {
    return Promise.reject(new GatewayError('unsupported', 'a pix is not authorized'));
  }

  capture(): Promise<Outcome> {
    return Promise.reject(new GatewayError('unsupported', 'a pix is not captured'));
  }

  /** `PATCH /cob/{txid}`: only a charge that nobody paid is removed. */
  async cancel(ctx: GatewayContext, { gatewayTransactionId: txid }: FollowUp): Promise<Outcome> {
    const path = `cob/${encodeURIComponent(txid)}`;
    const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
    const charge = await call(ctx, { method: 'PATCH', path, body }, chargeReply);
    return (charge.txid === txid ? canceledOutcome(charge) : null) ?? unknownOutcome();
  }

  /** `PUT /pix/{e2eid}/devolucao/{id}` with our id. It names a transfer, which the charge is read for. */
  async refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
    const { reference, gatewayTransactionId: txid, amountCents, reason } = operation;
    requireSendWindow(ctx);
    const charge = await readBeforeRefund(ctx, txid);
    const { endToEndId } = transferToReturn(charge, amountCents);
    const id = toCompactReference(reference);
    const body = {
      valor: amountText(amountCents),
      ...(reason !== null && { descricao: reason.slice(0, MAX_TEXT) }),
    };
    const found = await requestReturn(ctx, { endToEndId, id, body });
    return found.id === id && found.valor === amountCents ? returnOutcome(found, txid) : unknownOutcome();
  }

  inquire(ctx: GatewayContext, subject: InquirySubject): Promise<InquiryResult> {
    return inquiryResult(() => inquire(ctx, subject));
  }

  readCallback(raw: RawCallback): CallbackReading {
    return readPixCallback(raw);
  }

  verifyCallback(
    raw: RawCallback,
    _hint: CallbackHint,
    secrets: readonly string[],
  ): 'valid' | 'invalid' | 'unsigned' {
    return verifyPixCallback(raw, secrets);
  }
}

/** @throws GatewayError `unsupported` */
function chargeBody(ctx: GatewayContext, request: ChargeRequest): object {
  const { paymentMethod, pix, splits, currency, amountCents, customer, purchase } = request;
  if (paymentMethod !== 'pix' || pix === null)
    throw new GatewayError('unsupported', 'this gateway takes pix only');
  if (splits.length > 0) throw new GatewayError('unsupported', 'this gateway does not split a payment');
  if (currency !== 'BRL') throw new GatewayError('unsupported', 'a pix is in BRL');
  return {
    calendario: { expiracao: pix.expiresInSeconds },
    ...debtorOf(customer),
    valor: { original: amountText(amountCents) },
    chave: pixKeyOf(ctx),
    solicitacaoPagador: purchase.description.slice(0, MAX_TEXT),
  };
}

/** `PessoaFisica` or `PessoaJuridica`, whose document tells which. The debtor is optional. */
function debtorOf({ name, document }: ChargeRequest['customer']): object {
  const nome = name.slice(0, MAX_NAME);
  if (document === null) return {};
  if (/^\d{11}$/.test(document)) return { devedor: { cpf: document, nome } };
  return /^[0-9A-Z]{14}$/.test(document) ? { devedor: { cnpj: document, nome } } : {};
}

/** Nothing was sent yet, so a lost answer is a failure. */
async function readBeforeRefund(ctx: GatewayContext, txid: string): Promise<PixChargeRecord> {
  try {
    const charge = await findCharge(ctx, txid);
    if (charge === null) throw new GatewayError('invalid_request', 'the gateway does not know the charge');
    return charge;
  } catch (error) {
    if (!(error instanceof GatewayError) || error.family !== 'ambiguous') throw error;
    throw new GatewayError('not_sent', 'the gateway did not show the charge', error.code);
  }
}

/** The transfer that still holds the amount: a return is of one transfer. */
function transferToReturn({ pix }: PixChargeRecord, amountCents: number): PixTransfer {
  const holding = pix.find((transfer) => leftOf(transfer) >= amountCents);
  if (holding === undefined)
    throw new GatewayError('invalid_request', 'no transfer of the charge holds the amount');
  return holding;
}

function leftOf({ valor, devolucoes }: PixTransfer): number {
  return devolucoes.reduce((left, each) => left - (each.status === 'NAO_REALIZADO' ? 0 : each.valor), valor);
}

/**
 * `PixDevolucaoInvalida` also says that the id is taken, which is this request if its first answer was lost. Then its result
 * counts.
 */
async function requestReturn(
  ctx: GatewayContext,
  { endToEndId, id, body }: { readonly endToEndId: string; readonly id: string; readonly body: object },
): Promise<PixReturn> {
  const path = `pix/${endToEndId}/devolucao/${id}`;
  try {
    return await call(ctx, { method: 'PUT', path, body }, returnReply);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'PixDevolucaoInvalida') throw error;
    const earlier = await earlierReturn(ctx, endToEndId, id);
    if (earlier === null) throw error;
    return earlier;
  }
}

/** @throws GatewayError `ambiguous` if the gateway does not tell */
async function earlierReturn(ctx: GatewayContext, endToEndId: string, id: string): Promise<PixReturn | null> {
  try {
    return await findReturn(ctx, endToEndId, id);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw new GatewayError('ambiguous', 'the gateway may hold the id for an earlier return', error.code);
  }
}

function unknownOutcome(): never {
  throw new GatewayError('ambiguous', 'the gateway answered without the result of the operation');
}
