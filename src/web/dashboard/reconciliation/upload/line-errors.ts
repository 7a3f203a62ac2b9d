import { language } from '../../../ui/language';
import { messages } from './messages';

export interface LineError {
  /** Which line it is; null if the error is about the whole file. */
  readonly place: string | null;
  readonly problem: string;
}

/** The API's words for what is wrong with a line, which are English. */
const TRANSLATIONS: ReadonlyArray<readonly [pattern: RegExp, words: string]> = [
  [/^the header lacks (.+)$/, 'o cabeçalho não tem $1'],
  [/^line_id is required$/, 'line_id é obrigatório'],
  [/^kind must be one of (.+)$/, 'kind deve ser um destes: $1'],
  [/^currency must be a code of ISO 4217.*$/, 'currency deve ser um código da ISO 4217, como BRL'],
  [/^day must be a date.*$/, 'day deve ser uma data, AAAA-MM-DD'],
  [
    /^(\w+) must be an integer of at least (\d+).*$/,
    '$1 deve ser um número inteiro de pelo menos $2; valores em centavos',
  ],
  [/^(\w+) must be an integer.*$/, '$1 deve ser um número inteiro; valores em centavos'],
  [/^occurred_at must be an instant.*$/, 'occurred_at deve ser um instante em ISO 8601'],
  [/^(\w+) must have at most (\d+) characters$/, '$1 deve ter no máximo $2 caracteres'],
  [/^a quote is not closed$/, 'falta fechar aspas'],
  [/^a line has more than (\d+) characters$/, 'uma linha tem mais de $1 caracteres'],
  [/^the file must be in UTF-8$/, 'o arquivo deve estar em UTF-8'],
  [/^must be CSV with a header and lines$/, 'o arquivo deve ser CSV com cabeçalho e linhas'],
];

/** The errors of a refused file, in the user's language: `line 3: amount must be ...`. */
export function lineErrorsOf(problems: readonly string[]): LineError[] {
  return problems.map((text) => {
    const [, after, line, rest] = /^(after )?line (\d+): (.+)$/s.exec(text) ?? [];
    if (line === undefined) return { place: null, problem: inLanguage(text) };
    const place = after === undefined ? messages.lineNumber(line) : messages.afterLine(line);
    return { place, problem: inLanguage(rest ?? '') };
  });
}

function inLanguage(problem: string): string {
  if (language === 'en') return problem;
  const found = TRANSLATIONS.find(([pattern]) => pattern.test(problem));
  return found === undefined ? 'tem um valor inválido' : problem.replace(...found);
}
