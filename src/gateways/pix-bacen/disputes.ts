import { assertNever } from '../../domain/shared/assert-never';
import type { DisputeStatus } from '../../domain/disputes/dispute';
import type { DisputeHint } from '../callback';
import type { PixChargeRecord, PixReturn } from './wire';

/** `DevolucaoNatureza`: the special return (Mecanismo Especial de Devolução) that the payer's bank asked for, not the company. */
export function isSpecialReturn({ natureza }: PixReturn): boolean {
  return natureza?.startsWith('MED_') === true;
}

/**
 * The special returns of a charge, each as a dispute of what it returns: a bank returns what it finds in the account, so that may
 * be a part, and several may follow each other. The standard has neither a deadline nor a way to answer.
 *
 * @param askedAt of the inquiry, if the bank does not tell when a return became so
 */
export function specialReturnsOf({ pix }: PixChargeRecord, askedAt: Date): DisputeHint[] {
  return pix
    .flatMap(({ devolucoes }) => devolucoes)
    .filter((each) => isSpecialReturn(each) && each.valor > 0)
    .map((each) => ({
      gatewayDisputeId: each.id,
      currency: 'BRL',
      kind: 'med',
      status: statusOf(each),
      amountCents: each.valor,
      reasonCode: each.natureza ?? null,
      evidenceDueAt: null,
      at: instantOf(each) ?? askedAt,
    }));
}

/** `EM_PROCESSAMENTO`: the money is held until the banks have decided. */
function statusOf({ status }: PixReturn): DisputeStatus {
  switch (status) {
    case 'EM_PROCESSAMENTO':
      return 'opened';
    case 'DEVOLVIDO':
      return 'lost';
    case 'NAO_REALIZADO':
      return 'won';
    default:
      return assertNever(status);
  }
}

/** When it was returned, else when it was requested. */
function instantOf({ horario }: PixReturn): Date | null {
  const at = new Date(horario?.liquidacao ?? horario?.solicitacao ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}
