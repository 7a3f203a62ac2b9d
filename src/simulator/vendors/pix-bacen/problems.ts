import type { z } from 'zod';
import type { SimulatorResponse } from '../../replies';

/** The kinds of errors: "Tratamento de erros" of bacen/pix-api, openapi.yaml 2.9.0, which has the wording too. */
const PROBLEMS = {
  RequisicaoInvalida: [400, 'Requisição inválida.', 'Requisição inválida.'],
  AcessoNegado: [
    403,
    'Acesso Negado',
    'Requisição de participante autenticado que viola alguma regra de autorização.',
  ],
  NaoEncontrado: [404, 'Não Encontrado', 'Entidade não encontrada.'],
  ErroInternoDoServidor: [500, 'Erro Interno', 'Condição inesperada ao processar requisição.'],
  ServicoIndisponivel: [503, 'Serviço Indisponível', 'Serviço não está disponível no momento.'],
  IndisponibilidadePorTempoEsgotado: [
    504,
    'Tempo Esgotado',
    'O serviço demorou além do esperado para retornar.',
  ],
  CobNaoEncontrado: [404, 'Não Encontrado', 'Cobrança não encontrada para o txid informado.'],
  CobOperacaoInvalida: [
    400,
    'Cobrança inválida.',
    'A requisição que busca alterar ou criar uma cobrança para pagamento imediato não respeita o _schema_ ou está semanticamente errada.',
  ],
  CobConsultaInvalida: [
    400,
    'Consulta inválida.',
    'Os parâmetros de consulta à lista de cobranças não respeitam o _schema_ ou não fazem sentido semanticamente.',
  ],
  PixNaoEncontrado: [404, 'Não Encontrado', 'Pix não encontrado para o e2eid informado.'],
  PixDevolucaoNaoEncontrada: [404, 'Não Encontrado', 'Devolução não encontrada para o e2eid informado.'],
  PixDevolucaoInvalida: [
    400,
    'Devolução inválida.',
    'A presente requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente.',
  ],
} as const satisfies Record<string, readonly [status: number, title: string, detail: string]>;
type PixProblem = keyof typeof PROBLEMS;

interface Violation {
  readonly razao: string;
  readonly propriedade: string;
}

/** `Problema`: RFC 7807. */
export function problem(name: PixProblem, violacoes: readonly Violation[] = []): SimulatorResponse {
  const [status, title, detail] = PROBLEMS[name];
  return problemOf(status, name, title, detail, violacoes);
}

/** One broken rule, in the words of the document. */
export function violation(name: PixProblem, propriedade: string, razao: string): SimulatorResponse {
  return problem(name, [{ razao, propriedade }]);
}

/** `root` is the object's name in the document's rules: "O campo cob.valor.original não respeita o _schema_." */
export function invalidBody(name: PixProblem, root: string, { issues }: z.ZodError): SimulatorResponse {
  const fields = issues.flatMap((issue) => {
    const names =
      issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return names.map((path) => [root, ...path].join('.'));
  });
  return problem(
    name,
    fields.map((propriedade) => ({ razao: `O campo ${propriedade} não respeita o _schema_.`, propriedade })),
  );
}

const BY_STATUS: Readonly<Record<number, PixProblem>> = {
  400: 'RequisicaoInvalida',
  403: 'AcessoNegado',
  404: 'NaoEncontrado',
  500: 'ErroInternoDoServidor',
  503: 'ServicoIndisponivel',
  504: 'IndisponibilidadePorTempoEsgotado',
};

/** The document has no problem for other statuses: their names are ours. */
export function problemOfStatus(status: number): SimulatorResponse {
  const name = BY_STATUS[status];
  if (name !== undefined) return problem(name);
  return status >= 500
    ? problemOf(status, 'ErroInternoDoServidor', 'Erro Interno', 'Condição inesperada.', [])
    : problemOf(status, `Erro${status}`, 'Requisição recusada', 'A requisição foi recusada.', []);
}

function problemOf(
  status: number,
  name: string,
  title: string,
  detail: string,
  violacoes: readonly Violation[],
): SimulatorResponse {
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: {
      type: `https://pix.bcb.gov.br/api/v2/error/${name}`,
      title,
      status,
      detail,
      ...(violacoes.length > 0 && { violacoes }),
    },
  };
}
