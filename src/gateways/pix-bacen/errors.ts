import { errorOf, type ErrorAnswers } from '../error-answers';
import type { GatewayError } from '../errors';
import type { GatewayHttpResponse } from '../http';
import { parseJson } from '../parse-json';
import { problem } from './wire';

/** The errors of the endpoints that the driver calls, with their statuses: `info.description` of the API Pix 2.9.0. */
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

/** Which errors prove that something does not exist. */
const ABSENCES: ReadonlySet<string> = new Set([
  'NaoEncontrado',
  'CobNaoEncontrado',
  'PixNaoEncontrado',
  'PixDevolucaoNaoEncontrada',
]);

/** Null for an answer that is not the API's own error. */
export function problemOf({ status, text }: GatewayHttpResponse): string | null {
  const reply = problem.safeParse(parseJson(text));
  if (!reply.success || reply.data.status !== status) return null;
  const name = reply.data.type.split('/').at(-1) ?? '';
  const statuses: Readonly<Record<string, number>> = PROBLEMS;
  return statuses[name] === status ? name : null;
}

export function isAbsence({ family, code }: GatewayError): boolean {
  return family === 'invalid_request' && ABSENCES.has(code ?? '');
}

const ANSWERS: ErrorAnswers = { ownErrorCode: problemOf, documentedAnswers: [] };

export function pixErrorOf(response: GatewayHttpResponse): GatewayError {
  return errorOf(response, ANSWERS);
}
