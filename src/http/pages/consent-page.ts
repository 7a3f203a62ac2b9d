import type { ConsentResult } from '../../application/companies/receive-consent';

/** In Portuguese, for owners in Brazil, and in English. */
const TEXTS: Readonly<
  Record<ConsentResult | 'over', readonly [title: string, portuguese: string, english: string]>
> = {
  connected: [
    'Conta conectada',
    'Sua conta está conectada. Você pode fechar esta página.',
    'Your account is connected. You can close this page.',
  ],
  processing: [
    'Aguarde',
    'Sua autorização está sendo confirmada. Atualize esta página em um minuto.',
    'Your authorization is being confirmed. Reload this page in a minute.',
  ],
  declined: [
    'Autorização não concedida',
    'Você não autorizou o acesso, e nada mudou. Para autorizar, abra o link novamente.',
    'You did not authorize the access, and nothing has changed. To authorize it, open the link again.',
  ],
  over: [
    'Link inválido',
    'Este link não é mais válido, e nada mudou. Peça um novo link à empresa que o enviou.',
    'This link is no longer valid, and nothing has changed. Ask the company that sent it for a new one.',
  ],
};

/** The page for an owner who comes back from the gateway. It loads nothing and shows nothing of the request. */
export function consentPage(result: ConsentResult | 'over'): string {
  const [title, portuguese, english] = TEXTS[result];
  return `<!doctype html>
<html lang="pt-BR">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<h1>${title}</h1>
<p>${portuguese}</p>
<p lang="en">${english}</p>
</html>
`;
}
