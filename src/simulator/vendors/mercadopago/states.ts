import { assertNever } from '../../../domain/shared/assert-never';
import type { StoredCharge, StoredOperation } from '../../charge-store';
import { paymentDataOf, reviewOf } from './record';

interface PaymentState {
  readonly status: string;
  readonly status_detail: string;
}

const state = (status: string, status_detail: string): PaymentState => ({ status, status_detail });

/** https://www.mercadopago.com.br/developers/en/docs/checkout-api/response-handling/query-results */
export function stateOf(charge: StoredCharge, isDisputed: boolean): PaymentState {
  if (isDisputed) return state('charged_back', 'in_process');
  const review = reviewOf(charge);
  if (review === 'pending')
    return state('in_process', paymentDataOf(charge).status_detail ?? 'pending_review_manual');
  if (review === 'rejected') return state('rejected', 'cc_rejected_high_risk');
  switch (charge.status) {
    case 'approved':
      return state('approved', charge.refunded > 0 ? 'partially_refunded' : 'accredited');
    case 'authorized':
      return state('authorized', 'pending_capture');
    case 'pending':
      return state(
        'pending',
        charge.method === 'pix' ? 'pending_waiting_transfer' : 'pending_waiting_payment',
      );
    case 'declined':
      return state('rejected', wordOf(charge));
    case 'expired':
      return state('cancelled', 'expired');
    // Recorded `successful-void`.
    case 'canceled':
      return state('cancelled', 'by_collector');
    case 'refunded':
      return state('refunded', 'refunded');
    default:
      return assertNever(charge.status);
  }
}

/** The page above; its words for the codes of the network are this fake's reading. */
const WORDS_BY_CODE: Readonly<Record<string, string>> = {
  '1A': 'cc_rejected_3ds_challenge',
  '14': 'cc_rejected_bad_filled_card_number',
  '41': 'cc_rejected_card_disabled',
  '43': 'cc_rejected_blacklist',
  '51': 'cc_rejected_insufficient_amount',
  '54': 'cc_rejected_bad_filled_date',
  '57': 'cc_rejected_card_type_not_allowed',
  '59': 'cc_rejected_high_risk',
  '63': 'cc_rejected_bad_filled_security_code',
  '65': 'cc_rejected_max_attempts',
  '78': 'cc_rejected_card_disabled',
  '82': 'cc_rejected_bad_filled_security_code',
  '91': 'cc_rejected_time_out',
};
const WORDS_BY_CLASS = {
  soft: 'cc_rejected_other_reason',
  hard: 'cc_rejected_card_disabled',
  fraud: 'cc_rejected_high_risk',
  auth_required: 'cc_rejected_3ds_challenge',
} as const;

/** Mercado Pago tells no response code of a decline, and no advice of the network. */
function wordOf(charge: StoredCharge): string {
  const { status_detail } = paymentDataOf(charge);
  if (status_detail !== null) return status_detail;
  if (charge.method !== 'card') return 'rejected_by_bank';
  return wordOfDecline(charge);
}

export function wordOfDecline({ code, declineClass }: Pick<StoredCharge, 'code' | 'declineClass'>): string {
  if (declineClass !== null) return WORDS_BY_CLASS[declineClass];
  return WORDS_BY_CODE[code ?? ''] ?? 'cc_rejected_other_reason';
}

/** States of a refund: mercadopago/openapi, `Refund`. */
export function refundStateOf({ pending, status }: StoredOperation): 'approved' | 'in_process' | 'rejected' {
  if (pending !== undefined) return 'in_process';
  return status === 'declined' ? 'rejected' : 'approved';
}

/**
 * What the name of the cardholder makes of a payment in the test environment:
 * https://www.mercadopago.com.br/developers/en/docs/checkout-api/integration-test/test-cards
 */
export const TEST_HOLDERS: ReadonlyMap<string, string> = new Map([
  ['OTHE', 'cc_rejected_other_reason'],
  ['CALL', 'cc_rejected_call_for_authorize'],
  ['FUND', 'cc_rejected_insufficient_amount'],
  ['SECU', 'cc_rejected_bad_filled_security_code'],
  ['EXPI', 'cc_rejected_bad_filled_date'],
  ['FORM', 'cc_rejected_bad_filled_other'],
  ['CARD', 'cc_rejected_bad_filled_card_number'],
  ['INST', 'cc_rejected_invalid_installments'],
  ['DUPL', 'cc_rejected_duplicated_payment'],
  ['LOCK', 'cc_rejected_card_disabled'],
  ['CTNA', 'cc_rejected_card_type_not_allowed'],
  ['ATTE', 'cc_rejected_max_attempts'],
  ['BLAC', 'cc_rejected_blacklist'],
]);
/** Its payment is in process. */
export const REVIEWED_HOLDER = 'CONT';
