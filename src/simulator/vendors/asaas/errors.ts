import type { z } from 'zod';
import type { SimulatorResponse } from '../../replies';

/** https://docs.asaas.com/reference/http-response-codes: every error is a list; recordings have one entry. */
export function failure(status: number, code: string, description: string): SimulatorResponse {
  return { status, body: { errors: [{ code, description }] } };
}

/** A 400 for what the state does not allow. Recorded for declines, which have the same code. */
export const refused = (description: string): SimulatorResponse =>
  failure(400, 'invalid_action', description);

export const invalid = (code: string, description: string): SimulatorResponse =>
  failure(400, code, description);

/** SDK 1.1 (asaasdev/asaas-api-sdk-java): an unknown id is a 404. The body is not documented. */
export const notFound = (): SimulatorResponse => ({ status: 404, body: { errors: [] } });

/** Recorded `card-declined`: one text for every reason, and no code of the issuer. */
export const declined = (): SimulatorResponse =>
  refused('Transação não autorizada. Verifique os dados do cartão de crédito e tente novamente.');

/** Codes and texts of https://docs.asaas.com/docs/autenticação-1. */
export const UNAUTHENTICATED = {
  access_token_not_found:
    "O cabeçalho de autenticação 'access_token' é obrigatório e não foi encontrado na requisição",
  invalid_access_token_format:
    'O valor fornecido não parece ser uma chave de API válida do Asaas. Verifique o formato da sua chave',
  invalid_environment: 'A chave de API informada não pertence a este ambiente',
  invalid_access_token: 'A chave de API fornecida é inválida',
} as const;

export const unauthenticated = (code: keyof typeof UNAUTHENTICATED): SimulatorResponse =>
  failure(401, code, UNAUTHENTICATED[code]);

/** The error with the status of a script. No text but that of 401 is documented. */
export function errorOfStatus(status: number): SimulatorResponse {
  if (status === 401) return unauthenticated('invalid_access_token');
  if (status === 404) return notFound();
  if (status === 429) return failure(429, 'too_many_requests', 'Limite de requisições atingido.');
  return status >= 500
    ? failure(status, 'internal_error', 'Ocorreu um erro interno.')
    : failure(status, 'invalid_action', 'A requisição não pôde ser processada.');
}

/**
 * The first wrong field as `invalid_<field>`, which is the form of the documented `invalid_value` and `invalid_dueDate`.
 * Recorded `payment-empty-body`: one error, though several fields are missing. A field that the SDK does not know is refused,
 * so that a misspelled one shows; what Asaas does with it is not documented.
 */
export function invalidBody(error: z.ZodError): SimulatorResponse {
  const issue = error.issues[0];
  const field = issue?.path.find((segment) => typeof segment === 'string');
  if (issue?.code === 'unrecognized_keys')
    return invalid(
      'invalid_object',
      `Campo desconhecido: ${[field, ...issue.keys].filter(Boolean).join('.')}`,
    );
  if (field === 'customer') return invalidCustomer();
  if (field === undefined) return invalid('invalid_object', 'O corpo da requisição é inválido.');
  return invalid(
    `invalid_${field}`,
    `O campo ${issue?.path.join('.') ?? field} é inválido ou não foi informado.`,
  );
}

/** Recorded `payment-empty-body`. */
export const invalidCustomer = (): SimulatorResponse =>
  invalid('invalid_customer', 'Customer inválido ou não informado.');
