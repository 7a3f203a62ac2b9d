import { language } from '../../ui/language';

/** Why a statement could not be fetched, which the API says in English. */
const PORTUGUESE: Readonly<Record<string, string>> = {
  'this gateway sends no statements; upload the file that it offers on its own pages':
    'Este gateway não envia extratos. Envie o arquivo que ele oferece nas páginas dele.',
  'no secret of this account is left; upload the statement':
    'Não resta credencial desta conta. Envie o extrato.',
  'the gateway has not made the statement': 'O gateway ainda não fez o extrato.',
  'the gateway sent an empty page': 'O gateway enviou uma página vazia.',
};

export function problemText(problem: string): string {
  if (language === 'en') return problem;
  return PORTUGUESE[problem] ?? 'O gateway não enviou o extrato. Ele é pedido de novo.';
}
