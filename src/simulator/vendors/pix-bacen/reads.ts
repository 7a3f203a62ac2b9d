import type { StoredCharge } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { type CobQuery, cobQuery } from './bodies';
import {
  cobDataOf,
  cobStatusOf,
  completeCob,
  createdAtOf,
  pixObject,
  refundIdOf,
  refundObject,
  refundsOf,
} from './cob-object';
import { findCob } from './cobs';
import { invalidBody, problem, violation } from './problems';

type Reader = Pick<SimulatorRequestContext, 'gateway' | 'account'>;

/** `GET /cob/{txid}`. */
export function showCob(
  core: SimulatorCore,
  reader: Reader,
  txid: string,
  query: URLSearchParams,
): SimulatorResponse {
  const charge = findCob(core, reader, txid);
  if (charge === null) return problem('CobNaoEncontrado');
  const body = completeCob(core, charge);
  const revision = query.get('revisao');
  // Only the newest revision is kept.
  return revision === null || Number(revision) === body.revisao
    ? { status: 200, body }
    : violation(
        'CobConsultaInvalida',
        'revisao',
        'O parâmetro revisao corresponde a uma revisão inexistente.',
      );
}

/** `GET /cob`: by the time of creation, newest first. A new charge is listed after the delay of the search. */
export function listCobs(
  core: SimulatorCore,
  reader: Reader,
  query: URLSearchParams,
  searchLagMs: number,
): SimulatorResponse {
  const parsed = cobQuery.safeParse(Object.fromEntries(query));
  if (!parsed.success) return invalidBody('CobConsultaInvalida', 'consulta', parsed.error);
  const { data } = parsed;
  if (Date.parse(data.fim) < Date.parse(data.inicio))
    return violation('CobConsultaInvalida', 'fim', 'O parâmetro fim é anterior ao parâmetro inicio.');
  const indexed = Date.now() - searchLagMs;
  const found = core.store
    .newestFirst(reader.gateway)
    .filter(
      (charge) =>
        cobDataOf(charge).txid !== '' &&
        core.accounts.canRead(reader.account, charge.account) &&
        Date.parse(createdAtOf(charge)) <= indexed &&
        isWithin(data, charge),
    );
  const { 'paginacao.paginaAtual': page, 'paginacao.itensPorPagina': size } = data;
  const shown = found.slice(page * size, (page + 1) * size);
  return {
    status: 200,
    body: {
      parametros: {
        inicio: data.inicio,
        fim: data.fim,
        ...(data.status !== undefined && { status: data.status }),
        paginacao: {
          paginaAtual: page,
          itensPorPagina: size,
          quantidadeDePaginas: Math.max(1, Math.ceil(found.length / size)),
          quantidadeTotalDeItens: found.length,
        },
      },
      cobs: shown.map((charge) => completeCob(core, charge)),
    },
  };
}

function isWithin({ inicio, fim, status, locationPresente }: CobQuery, charge: StoredCharge): boolean {
  const at = Date.parse(createdAtOf(charge));
  return (
    at >= Date.parse(inicio) &&
    at <= Date.parse(fim) &&
    (status === undefined || cobStatusOf(charge) === status) &&
    locationPresente !== 'false'
  );
}

/** The charge that a payment belongs to. */
export function findPaid(
  core: SimulatorCore,
  { gateway, account }: Reader,
  e2eId: string,
): StoredCharge | null {
  const charge = core.store.newestFirst(gateway).find(({ pix }) => pix?.endToEndId === e2eId);
  return charge !== undefined && core.accounts.canRead(account, charge.account) ? charge : null;
}

/** `GET /pix/{e2eid}`. */
export function showPix(core: SimulatorCore, reader: Reader, e2eId: string): SimulatorResponse {
  const charge = findPaid(core, reader, e2eId);
  const body = charge === null ? null : pixObject(core, charge);
  return body === null ? problem('PixNaoEncontrado') : { status: 200, body };
}

/** `GET /pix/{e2eid}/devolucao/{id}`. */
export function showRefund(
  core: SimulatorCore,
  reader: Reader,
  e2eId: string,
  id: string,
): SimulatorResponse {
  const charge = findPaid(core, reader, e2eId);
  const refund =
    charge === null ? undefined : refundsOf(charge).find(({ operation }) => refundIdOf(operation) === id);
  return charge === null || refund === undefined
    ? problem('PixDevolucaoNaoEncontrada')
    : { status: 200, body: refundObject(charge, refund.operation, refund.position) };
}
