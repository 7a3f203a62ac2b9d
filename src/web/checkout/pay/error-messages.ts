import type { ApiFailure } from '../../api/failure';
import type { Words } from './decline-messages';
import { messages } from '../messages';

/** Why a request to pay came to nothing, or why nobody knows. */
export function refusalWords(refusal: ApiFailure): Words {
  const { refusals, declines } = messages;
  if (refusal.status === 429) return { title: declines.title, text: refusals.busy };
  if (refusal.isOpen) return { title: refusals.lostTitle, text: refusals.lost };
  switch (refusal.code) {
    case 'invalid_state':
      return { title: declines.title, text: refusals.pixHeld };
    case 'no_gateway_available':
      return { title: declines.title, text: refusals.noGateway };
    case 'validation_error':
      return { title: declines.title, text: refusals.fields };
    default:
      return { title: declines.title, text: refusals.failed };
  }
}

/** Why no session could be opened: nothing is at stake there yet. */
export function openingWords({ status, code }: ApiFailure): string {
  const { refusals } = messages;
  if (status === null) return refusals.unreachable;
  if (status === 429) return refusals.busy;
  return code === 'validation_error' ? refusals.fields : refusals.failed;
}
