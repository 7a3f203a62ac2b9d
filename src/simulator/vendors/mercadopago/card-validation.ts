import { scriptedDecline } from '../../charges';
import { decideOnCard } from '../../test-cards';
import { ownReference } from '../our-reference';
import type { CardTokens } from './card-tokens';
import { instant, type MercadoPagoEndpoint, type MercadoPagoRequest, reply } from './endpoint';
import { badRequest, errorOf } from './errors';
import { invalidBody, validationBody } from './parameters';
import { chargeBodyOf, initiationOf, readPayment } from './payment-body';
import { TEST_HOLDERS, wordOfDecline } from './states';

/** The networks of https://www.mercadopago.com.br/developers/en/docs/zero-dollar-auth/prerequisites */
const NETWORKS: ReadonlySet<string> = new Set(['visa', 'master']);

/**
 * `POST /v1/payments` with `X-Card-Validation`: https://www.mercadopago.com.br/developers/en/docs/zero-dollar-auth/integration and
 * /api-responses. It commits nothing, so a repeated key is answered anew, which is not documented.
 */
export function validateCard(tokens: CardTokens, request: MercadoPagoRequest): MercadoPagoEndpoint {
  const parsed = validationBody.safeParse(request.body);
  const body = parsed.success ? parsed.data : null;
  return {
    summary: {
      operation: 'verify',
      amount: 0,
      reference: body === null ? null : ownReference(body.external_reference ?? ''),
      ...(body !== null && { initiation: initiationOf(body) }),
    },
    needsKey: true,
    check: () => {
      if (!parsed.success) return invalidBody(parsed.error);
      if (parsed.data.transaction_amount !== 0)
        return badRequest(2072, 'Invalid value for transaction_amount', 'transaction_amount');
      // The page asks for no installments.
      const valid = readPayment({ ...parsed.data, installments: 1 }, tokens);
      if ('status' in valid) return valid;
      const presented = chargeBodyOf(valid).card;
      if (presented === null || !NETWORKS.has(valid.paymentMethodId))
        return badRequest(3028, 'Invalid payment_method_id', 'payment_method_id');
      return reply(({ behavior }) => {
        if (parsed.data.token) tokens.use(parsed.data.token);
        const now = new Date();
        const decision = decideOnCard(presented, initiationOf(parsed.data), now);
        if (decision.kind === 'outage') return errorOf(503);
        const decline = scriptedDecline(behavior) ?? (decision.kind === 'decline' ? decision : null);
        const held = TEST_HOLDERS.get(presented.holder_name) ?? null;
        const word = held ?? (decline && wordOfDecline(decline));
        return {
          status: 200,
          body: {
            id: now.getTime(),
            date_created: instant(now),
            operation_type: 'card_validation',
            payment_method_id: valid.paymentMethodId,
            payment_type_id: 'credit_card',
            external_reference: parsed.data.external_reference ?? null,
            status: word === null ? 'approved' : 'rejected',
            status_detail: word ?? 'accredited',
            transaction_amount: 0,
          },
        };
      });
    },
  };
}
