import { RequestError } from '../../api/request-error';
import { language } from '../language';
import { messages } from '../messages';

type ErrorCode = NonNullable<RequestError['code']>;

/** What each error code means; the compiler names one that is missing. */
const PORTUGUESE: Readonly<Record<ErrorCode, string>> = {
  malformed_request: 'A requisição está incorreta.',
  unauthenticated: 'Sua sessão expirou. Entre de novo.',
  otp_required: 'Informe o código do seu aplicativo autenticador.',
  insufficient_scope: 'Esta chave de API não permite isso.',
  forbidden: 'Seu papel na empresa não permite isso.',
  two_factor_required: 'Sua empresa exige a verificação em duas etapas. Ative-a primeiro.',
  not_found: 'Não encontrado. Pode ter sido excluído.',
  gateway_not_found: 'Este gateway não está conectado.',
  method_not_allowed: 'Isso não é possível neste endereço.',
  invalid_state: 'Isso não é possível na situação atual. Atualize a página para vê-la.',
  payment_disputed: 'O pagamento foi contestado, e o valor contestado não pode ser estornado.',
  secret_already_shown: 'O segredo já foi mostrado e não pode ser mostrado de novo.',
  card_in_use: 'O cartão está em uso por uma assinatura.',
  offer_changed: 'A oferta mudou. Atualize a página.',
  session_used: 'Esta compra já foi concluída.',
  session_expired: 'Esta compra expirou.',
  link_expired: 'O link de pagamento expirou.',
  link_exhausted: 'O link de pagamento atingiu o limite de usos.',
  link_deleted: 'O link de pagamento foi excluído.',
  cursor_expired: 'Os eventos depois deste ponto já foram apagados. Comece de novo.',
  payload_too_large: 'O conteúdo enviado é grande demais.',
  unsupported_media_type: 'O formato do conteúdo enviado não é aceito.',
  validation_error: 'Confira os campos destacados.',
  idempotency_key_reused: 'A mesma chave de idempotência já foi usada com outros dados.',
  no_gateway_available: 'Nenhum gateway conectado aceita isso.',
  gateway_refused: 'O gateway recusou o pedido.',
  card_declined: 'O emissor recusou o cartão.',
  coupon_not_found: 'O cupom não existe.',
  coupon_inactive: 'O cupom está desativado.',
  coupon_not_started: 'O cupom ainda não vale.',
  coupon_expired: 'O cupom expirou.',
  coupon_exhausted: 'O cupom atingiu o limite de usos.',
  rate_limited: 'Requisições demais. Aguarde um momento e tente de novo.',
  internal_error: 'Algo deu errado do nosso lado.',
  unavailable: 'O serviço está temporariamente indisponível. Tente de novo.',
  restore_in_progress: 'O serviço está temporariamente indisponível. Tente de novo.',
};

/** Message for a failed request. The API writes English: in English its own message is used where it is more specific. */
export function errorMessage(error: unknown): string {
  const { errors } = messages;
  if (!(error instanceof RequestError)) return errors.internal;
  if (error.status === null) return errors.unreachable;
  if (error.code !== null && language === 'pt') return PORTUGUESE[error.code] ?? errors.internal;
  switch (error.code) {
    case 'unauthenticated':
      return errors.signedOut;
    case 'not_found':
      return errors.notFound;
    case 'rate_limited':
      return errors.rateLimited;
    case 'unavailable':
    case 'restore_in_progress':
      return errors.unavailable;
    case 'internal_error':
    case null:
      return errors.internal;
    case 'validation_error':
      return messages.checkFields;
    default:
      return error.message;
  }
}
