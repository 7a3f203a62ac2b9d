import { ONE_OFF, type WireInitiation } from '../../../gateways/simulator/wire';
import { scriptedDecline } from '../../charges';
import { newNetworkIds } from '../../network-ids';
import type { SimulatorResponse } from '../../replies';
import { decideOnCard } from '../../test-cards';
import { zeroAuthBody } from './bodies';
import { cardOf } from './create-sale';
import { type CieloEndpoint, type CieloRequest, ok } from './endpoint';
import { failure, invalidBody } from './errors';
import { codeOf, withSandboxDecline } from './return-codes';

const BRANDS: readonly string[] = ['Visa', 'Master', 'Elo'];

/**
 * `POST /1/zeroauth`: https://developercielo.github.io/manual/cielo-ecommerce#zero-auth. It commits nothing. The request has no order;
 * scripts find it by the header `RequestId`, which Cielo takes as a label.
 */
export function zeroAuth({ body, requestId }: CieloRequest): CieloEndpoint {
  const parsed = zeroAuthBody.safeParse(body);
  const card = parsed.success ? parsed.data : null;
  const reason = card?.CardOnFile?.Reason === 'Recurring' ? 'first_recurring' : 'first_saved';
  const initiation: WireInitiation = card?.CardOnFile ? { initiator: 'customer', reason } : ONE_OFF;
  return {
    summary: {
      operation: 'verify',
      amount: 0,
      reference: requestId,
      ...(card !== null && { initiation }),
    },
    run: ({ behavior }) => {
      if (!parsed.success) return { response: invalidBody(parsed.error) };
      if (behavior.lacks !== undefined) return { response: failure(322) };
      const { CardNumber, Brand } = parsed.data;
      if (!BRANDS.includes(Brand)) return { response: INVALID_BRAND };
      const presented = cardOf(parsed.data);
      const decision = decideOnCard(presented, initiation, new Date());
      if (decision.kind === 'outage') return { response: failure(0, 500) };
      const decline =
        decision.kind === 'decline' ? decision : scriptedDecline(withSandboxDecline(behavior, CardNumber));
      const IssuerTransactionId = newNetworkIds(presented.brand)?.network_transaction_id ?? '';
      const valid = { Valid: true, ReturnCode: '00', ReturnMessage: 'Transacao autorizada' };
      const invalid = decline && {
        Valid: false,
        ReturnCode: codeOf(decline),
        ReturnMessage: 'Autorizacao negada',
      };
      return { response: ok({ ...(invalid ?? valid), IssuerTransactionId }) };
    },
  };
}

/** An object, not a list: the manual's example. Its status is not documented. */
const INVALID_BRAND: SimulatorResponse = { status: 400, body: { Code: 57, Message: 'Bandeira inválida' } };
