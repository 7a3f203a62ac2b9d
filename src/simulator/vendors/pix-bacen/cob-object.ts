import { createHash } from 'node:crypto';
import { z } from 'zod';
import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge, StoredDispute, StoredOperation } from '../../charge-store';
import type { SimulatorCore } from '../adapter';
import { moneyOf } from './bodies';

/** The document's objects, with the names of the wire. */
export type PixObject = Readonly<Record<string, unknown>>;

/** What a request says of a charge and its answers repeat. No debtor: that is customer data. */
const cobData = z.object({
  txid: z.string().default(''),
  chave: z.string().default(''),
  expiracao: z.int().default(86_400),
  modalidade: z.int().nullable().default(null),
  solicitacao: z.string().nullable().default(null),
  info: z.array(z.object({ nome: z.string(), valor: z.string() })).default([]),
  revisao: z.int().default(0),
});
export type CobData = z.output<typeof cobData>;

const refundData = z.object({
  id: z.string().nullable().default(null),
  natureza: z.string().default('ORIGINAL'),
  descricao: z.string().nullable().default(null),
});

export function cobDataOf(charge: StoredCharge): CobData {
  return cobData.parse(charge.operations[0]?.wireData ?? {});
}

type CobStatus = 'ATIVA' | 'CONCLUIDA' | 'REMOVIDA_PELO_USUARIO_RECEBEDOR' | 'REMOVIDA_PELO_PSP';

/** `CobrancaStatus`: the state of the record. It "does not tell whether the charge has expired", so an expired one is ATIVA. */
export function cobStatusOf({ status }: StoredCharge): CobStatus {
  switch (status) {
    case 'pending':
    case 'authorized':
    case 'expired':
      return 'ATIVA';
    case 'approved':
    case 'refunded':
      return 'CONCLUIDA';
    case 'canceled':
      return 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
    case 'declined':
      return 'REMOVIDA_PELO_PSP';
    default:
      return assertNever(status);
  }
}

export const createdAtOf = ({ operations: [first] }: StoredCharge): string => first?.at ?? '';

/** `CobGerada`. */
export function cobObject(charge: StoredCharge, origin: string): PixObject {
  const { txid, chave, expiracao, modalidade, solicitacao, info, revisao } = cobDataOf(charge);
  const criacao = createdAtOf(charge);
  const digits = charge.id.slice('ch_'.length).replaceAll('-', '');
  const location = `${origin}/${charge.gateway}/qr/${digits}`.replace(/^https?:\/\//, '');
  return {
    calendario: { criacao, expiracao },
    txid,
    revisao: revisao + (charge.status === 'canceled' ? 1 : 0),
    loc: { id: Number.parseInt(digits.slice(0, 12), 16), location, tipoCob: 'cob', criacao, txid },
    location,
    status: cobStatusOf(charge),
    valor: {
      original: moneyOf(charge.amount),
      ...(modalidade !== null && { modalidadeAlteracao: modalidade }),
    },
    chave,
    ...(charge.pix !== null && { pixCopiaECola: charge.pix.qrCode }),
    ...(solicitacao !== null && { solicitacaoPagador: solicitacao }),
    ...(info.length > 0 && { infoAdicionais: info }),
  };
}

/** `CobCompleta`: with the payments. */
export function completeCob(core: SimulatorCore, charge: StoredCharge): PixObject {
  const pix = pixObject(core, charge);
  return { ...cobObject(charge, core.origin), ...(pix !== null && { pix: [pix] }) };
}

/** `Pix`: the payment of a charge; null if nobody has paid it. */
export function pixObject(core: SimulatorCore, charge: StoredCharge): PixObject | null {
  const { txid, chave } = cobDataOf(charge);
  const endToEndId = charge.pix?.endToEndId ?? null;
  if (endToEndId === null) return null;
  const paid = core.store.ledger.ofReference(charge.reference).filter(({ kind }) => kind === 'paid');
  const devolucoes = [
    ...refundsOf(charge).map(({ operation, position }) => refundObject(charge, operation, position)),
    ...(charge.disputes ?? []).map((dispute) => specialReturnObject(charge, dispute)),
  ];
  return {
    endToEndId,
    txid,
    valor: moneyOf(charge.paid),
    chave,
    horario: paid.findLast(({ charge_id }) => charge_id === charge.id)?.created_at ?? createdAtOf(charge),
    ...(devolucoes.length > 0 && { devolucoes }),
  };
}

interface PlacedRefund {
  readonly operation: StoredOperation;
  readonly position: number;
}

export function refundsOf({ operations }: StoredCharge): PlacedRefund[] {
  return operations.flatMap((operation, position) =>
    operation.operation === 'refund' ? [{ operation, position }] : [],
  );
}

/** The client's id of a refund; one that the merchant made on the PSP's pages has an id of the PSP. */
export function refundIdOf(operation: StoredOperation): string {
  const { id } = refundData.parse(operation.wireData ?? {});
  return id ?? operation.reference.replaceAll(/[^a-zA-Z0-9]/g, '').slice(-35);
}

/** `Devolucao`. */
export function refundObject(charge: StoredCharge, operation: StoredOperation, position: number): PixObject {
  const { natureza, descricao } = refundData.parse(operation.wireData ?? {});
  const { at, status, pending, amount, message } = operation;
  const isDone = pending === undefined && status !== 'declined';
  return {
    id: refundIdOf(operation),
    rtrId: returnIdOf(charge, at, position),
    valor: moneyOf(amount),
    natureza,
    ...(descricao !== null && { descricao }),
    horario: { solicitacao: at, ...(isDone && { liquidacao: at }) },
    status: pending !== undefined ? 'EM_PROCESSAMENTO' : isDone ? 'DEVOLVIDO' : 'NAO_REALIZADO',
    ...(pending === undefined && status === 'declined' && { motivo: message }),
  };
}

/** The special return mechanism (MED): the payer's bank takes money back. Of a won dispute the rest, if a part was returned. */
function specialReturnObject(charge: StoredCharge, dispute: StoredDispute): PixObject {
  const { id, status, amount, returned, reasonCode, changedAt } = dispute;
  const isKept = status === 'won' && returned >= amount;
  const isReturned = status === 'lost' || (status === 'won' && !isKept);
  return {
    id: `MED${id.replaceAll(/[^a-zA-Z0-9]/g, '').slice(-32)}`,
    rtrId: returnIdOf(charge, changedAt, charge.operations.length),
    valor: moneyOf(isReturned ? amount - returned : amount),
    natureza: reasonCode?.startsWith('MED_') === true ? reasonCode : 'MED_FRAUDE',
    horario: { solicitacao: changedAt, ...(isReturned && { liquidacao: changedAt }) },
    status: isReturned ? 'DEVOLVIDO' : isKept ? 'NAO_REALIZADO' : 'EM_PROCESSAMENTO',
  };
}

/** `D`, the receiver's bank, the minute and eleven characters, as `rtrId` of the examples. */
export function returnIdOf(charge: StoredCharge, at: string, position: number): string {
  const minutes = at.replace(/\D/g, '').slice(0, 12);
  const suffix = createHash('sha256').update(`${charge.id} ${position}`).digest('hex').slice(0, 11);
  return `D99999999${minutes}${suffix}`;
}
