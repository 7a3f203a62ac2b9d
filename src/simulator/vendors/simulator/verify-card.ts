import { verifiesCards } from '../../../gateways/simulator/profiles';
import { verificationBody, type VerificationReply } from '../../../gateways/simulator/wire';
import { scriptedDecline } from '../../charges';
import { newNetworkIds } from '../../network-ids';
import { gatewayErrorResponse, type SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import { decideOnCard } from '../../test-cards';
import type { SimulatorRequest } from './routes';

/** An authorization of zero. It commits nothing, so a repeated key is answered anew. */
export function verifyCard(
  { gateway, body }: Pick<SimulatorRequest, 'gateway' | 'body'>,
  behavior: Behavior,
  now: Date,
): SimulatorResponse {
  if (!verifiesCards(gateway))
    return gatewayErrorResponse('unsupported', 'this gateway does not verify cards');
  const parsed = verificationBody.safeParse(body);
  if (!parsed.success) return gatewayErrorResponse('invalid_request', parsed.error.message);
  const { reference, card, initiation } = parsed.data;
  const decision = decideOnCard(card, initiation, now);
  if (decision.kind === 'outage') return gatewayErrorResponse('unavailable', 'the gateway is out of service');
  const decline = scriptedDecline(behavior) ?? (decision.kind === 'decline' ? decision : null);
  const reply: VerificationReply =
    decline === null
      ? {
          reference,
          status: 'verified',
          network_ids: newNetworkIds(card.brand),
          response: { code: '00', message: 'verified', advice_code: null, decline_class: null },
        }
      : {
          reference,
          status: 'declined',
          network_ids: null,
          response: {
            code: decline.code,
            message: decline.message,
            advice_code: decline.adviceCode,
            decline_class: decline.declineClass,
          },
        };
  return { status: 200, body: reply };
}
