import type { z } from 'zod';
import type { StoredCharge } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorCore, WorkResult } from '../adapter';
import { ownReference } from '../our-reference';
import { centsOf, type refundRequest } from './bodies';
import { refundIdOf, refundObject, refundsOf } from './cob-object';
import { problem, violation } from './problems';
import { findPaid } from './reads';

/** `PUT /pix/{e2eid}/devolucao/{id}`. An id can be used once, also with the same content: GET shows its status. */
export function putRefund(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  { e2eId, id, body }: { e2eId: string; id: string; body: z.output<typeof refundRequest> },
): WorkResult {
  const charge = findPaid(core, context, e2eId);
  if (charge === null) return { response: problem('PixNaoEncontrado') };
  if (refundsOf(charge).some(({ operation }) => refundIdOf(operation) === id)) {
    const razao =
      'A presente requisição de devolução apresenta um {id} já utilizado por outra requisição de devolução.';
    return { response: violation('PixDevolucaoInvalida', 'id', razao) };
  }
  const result = core.charges.refund(
    { ...context, wireData: { id, natureza: body.natureza, descricao: body.descricao ?? null } },
    charge,
    {
      reference: ownReference(id),
      amount: centsOf(body.valor),
      splits: [],
      reason: body.descricao ?? null,
      bank_account: null,
    },
  );
  if ('rejected' in result) {
    const razao =
      'A presente requisição de devolução, em conjunto com as demais prévias devoluções, excederia o valor do pix originário.';
    return { response: violation('PixDevolucaoInvalida', 'devolucao.valor', razao) };
  }
  return {
    response: { status: 201, body: shown(result.charge) },
    charge: result.charge,
    // The webhook is sent when a refund "reaches a final status".
    announced: result.operation.pending === undefined,
  };
}

function shown(charge: StoredCharge): object {
  const refund = refundsOf(charge).at(-1);
  return refund === undefined ? {} : refundObject(charge, refund.operation, refund.position);
}
