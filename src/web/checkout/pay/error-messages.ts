import type { RequestError } from '../../api/request-error';
import type { NoticeText } from './decline-messages';
import { messages } from '../messages';

/** Message for a failed payment request, or for one whose result is unknown. */
export function paymentErrorMessage(error: RequestError): NoticeText {
  const { errors, declines } = messages;
  if (error.status === 429) return { title: declines.title, text: errors.busy };
  if (error.isOutcomeUnknown) return { title: errors.lostTitle, text: errors.lost };
  switch (error.code) {
    case 'invalid_state':
      return { title: declines.title, text: errors.pixCanceling };
    case 'offer_changed':
      return { title: declines.title, text: errors.offerChanged };
    case 'no_gateway_available':
      return { title: declines.title, text: errors.noGateway };
    case 'validation_error':
      return { title: declines.title, text: 'card' in error.fields ? declines.otherCard : errors.fields };
    default:
      return { title: declines.title, text: errors.failed };
  }
}

/** Message for a session that could not be opened. Nothing can have been charged yet. */
export function sessionErrorMessage({ status, code }: RequestError): string {
  const { errors } = messages;
  if (status === null) return errors.unreachable;
  if (status === 429) return errors.busy;
  return code === 'validation_error' ? errors.fields : errors.failed;
}
