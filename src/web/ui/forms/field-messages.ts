import { language } from '../language';

type Translation = readonly [pattern: RegExp, words: string];

/** Translations of the API's English validation messages that forms can trigger. */
const TRANSLATIONS: readonly Translation[] = [
  [/^is required$/, 'é obrigatório'],
  [/^must not be (?:empty|blank)$/, 'não pode ficar em branco'],
  [/^must begin with https:\/\/$/, 'deve começar com https://'],
  [/^must be an email address$/, 'deve ser um e-mail'],
  [/^must not contain a card number$/, 'não pode conter um número de cartão'],
  [/^must have at least (\d+) characters$/, 'deve ter pelo menos $1 caracteres'],
  [/^must have at most (\d+) characters$/, 'deve ter no máximo $1 caracteres'],
  [/^must have at least (\d+) items?$/, 'escolha pelo menos $1'],
  [/^must have at most (\d+) items?$/, 'no máximo $1'],
  [/^must be at least (\d+) cents$/, 'deve ser de pelo menos $1 centavos'],
  [/^must be at most (\d+) cents$/, 'deve ser de no máximo $1 centavos'],
  [
    /^must be 1 to (\d+) cents, the amount that can be captured$/,
    'deve ser de 1 a $1 centavos, o valor que pode ser capturado',
  ],
  [
    /^must be 1 to (\d+) cents, the amount that can be refunded$/,
    'deve ser de 1 a $1 centavos, o valor que pode ser estornado',
  ],
  [/^must be at least (-?\d+)$/, 'deve ser no mínimo $1'],
  [/^must be at most (-?\d+)$/, 'deve ser no máximo $1'],
  [/^must be an integer, in cents\b.*$/, 'deve ser um valor em dinheiro'],
  [/^must be an integer$/, 'deve ser um número inteiro'],
  [/^must be a date\b.*$/, 'deve ser uma data'],
  [/^must be (\d+) to (\d+) digits$/, 'deve ter de $1 a $2 dígitos'],
  [/^must be (\d+) digits$/, 'deve ter $1 dígitos'],
  [/^must be a CNPJ\b.*$/, 'deve ser um CNPJ'],
  [/^must be a CPF\b.*$/, 'deve ser um CPF ou CNPJ'],
  [/^must be one of:? (.+)$/, 'deve ser um destes: $1'],
  [/^must be a color\b.*$/, 'deve ser uma cor, como #1f7a4d'],
  [/^must be the name of a time zone\b.*$/, 'deve ser o nome de um fuso horário, como America/Sao_Paulo'],
  [/^is unknown, used or too old$/, 'é desconhecido, já foi usado ou expirou'],
  [
    /^cannot be added: a company has at most (\d+) endpoints$/,
    'não pode ser adicionado: o limite é de $1 endpoints',
  ],
  [/^has an endpoint with the same events already$/, 'já tem um endpoint com os mesmos eventos'],
  [/^has already been taken$/, 'já está em uso'],
  [/^must equal password$/, 'deve ser igual à senha'],
  [/^is named twice$/, 'aparece duas vezes'],
  [/^must add up to 100 percent, not (\d+)$/, 'deve somar 100 por cento, não $1'],
  [/^must not be less than amount_from$/, 'não pode ser menor que o mínimo'],
  [/^must be after valid_from$/, 'deve ser depois do início'],
  [/^must be later than the day before it in the list$/, 'deve ser maior que o dia anterior da lista'],
  [/^must be in the future$/, 'deve estar no futuro'],
  [/^must be at most (\d+) years ahead$/, 'deve ser em no máximo $1 anos'],
  [/^must be small letters and digits\b.*$/, 'só letras minúsculas e dígitos, com hífens entre eles'],
  [/^must be an address\b.*$/, 'deve ser um endereço que começa com http:// ou https://'],
  [/^must be an active currency code\b.*$/, 'deve ser uma moeda da ISO 4217, como BRL'],
  [/^is required when interest is buyer$/, 'informe os juros de pelo menos um número de parcelas'],
  [/^must be 1 for a subscription$/, 'deve ser 1 em uma assinatura'],
  [/^must be 1 unless currency is BRL$/, 'deve ser 1 em moedas que não sejam BRL'],
  [/^is required without split$/, 'escolha pelo menos um gateway'],
];

export function fieldMessage(message: string): string {
  if (language === 'en') return message;
  const rewording = TRANSLATIONS.find(([pattern]) => pattern.test(message));
  return rewording === undefined ? 'tem um valor inválido' : message.replace(...rewording);
}
