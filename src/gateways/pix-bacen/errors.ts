import { errorOf, type ErrorAnswers } from '../error-answers';
import type { GatewayError } from '../errors';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { problem, problemOfEfi } from './wire';

/** The errors of the endpoints that the driver calls, with their statuses: `info.description` of the Pix API 2.9.0. */
export const PROBLEMS = {
  RequisicaoInvalida: 400,
  AcessoNegado: 403,
  NaoEncontrado: 404,
  PermanentementeRemovido: 410,
  ErroInternoDoServidor: 500,
  ServicoIndisponivel: 503,
  IndisponibilidadePorTempoEsgotado: 504,
  CobNaoEncontrado: 404,
  CobOperacaoInvalida: 400,
  CobConsultaInvalida: 400,
  PixNaoEncontrado: 404,
  PixDevolucaoNaoEncontrada: 404,
  PixDevolucaoInvalida: 400,
} as const;

/**
 * The errors of Efí, which PagBank has too: https://dev.efipay.com.br/docs/api-pix/cobrancas-imediatas and gestao-de-pix. What does not
 * exist is a 400 there.
 */
export const EFI_PROBLEMS = {
  chave_invalida: 400,
  cobranca_nao_encontrada: 400,
  documento_bloqueado: 400,
  pix_nao_encontrado: 400,
  status_cobranca_invalido: 400,
  valor_invalido: 400,
  txid_duplicado: 409,
  erro_aplicacao: 500,
} as const;

/** Which errors prove that something does not exist. */
const ABSENCES: ReadonlySet<string> = new Set([
  'NaoEncontrado',
  'CobNaoEncontrado',
  'PixNaoEncontrado',
  'PixDevolucaoNaoEncontrada',
  'cobranca_nao_encontrada',
  'pix_nao_encontrado',
]);

/** Null for an answer that is not the API's own error. */
export function problemOf({ status, text }: GatewayHttpResponse): string | null {
  const body = parseJson(text);
  const standard = problem.safeParse(body);
  if (standard.success && standard.data.status === status)
    return known(PROBLEMS, standard.data.type.split('/').at(-1), status);
  const efi = problemOfEfi.safeParse(body);
  return efi.success ? known(EFI_PROBLEMS, efi.data.nome, status) : null;
}

function known(
  statuses: Readonly<Record<string, number>>,
  name: string | undefined,
  status: number,
): string | null {
  return name !== undefined && Object.hasOwn(statuses, name) && statuses[name] === status ? name : null;
}

export function isAbsence({ family, code }: GatewayError): boolean {
  return family === 'invalid_request' && ABSENCES.has(code ?? '');
}

const ANSWERS: ErrorAnswers = { ownErrorCode: problemOf, documentedAnswers: [] };

export function pixErrorOf(response: GatewayHttpResponse): GatewayError {
  return errorOf(response, ANSWERS);
}
