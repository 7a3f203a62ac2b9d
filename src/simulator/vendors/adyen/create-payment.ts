import { randomUUID } from 'node:crypto';
import { scriptedDecline, type SimulatorRequestContext } from '../../charges';
import { newNetworkIds } from '../../network-ids';
import type { SimulatorResponse } from '../../replies';
import type { Behavior } from '../../scripts';
import { decideOnCard } from '../../test-cards';
import type { SimulatorCore } from '../adapter';
import { ownReference } from '../our-reference';
import { type AdyenPaymentBody, paymentBody } from './bodies';
import { type AdyenEndpoint, type AdyenRequest, type AdyenResult, amountIn, textIn } from './endpoint';
import {
  errorOfStatus,
  invalidMerchantAccount,
  noAcquirer,
  rawCardsNotAllowed,
  serviceError,
} from './errors';
import { referenceFrom } from './ids';
import { invalidBody } from './problems';
import { initiationOf, operationOf, type ReadPayment, readPayment } from './read-payment';
import { acquirerDataOf, reasonOf } from './refusals';
import { bookedSplits } from './splits';

/** A credential that may not use the merchant account is answered 403 with 901; any other account is valid. */
export const isForeignAccount = (merchantAccount: string): boolean => merchantAccount.startsWith('Invalid');

/** `POST /payments`: https://docs.adyen.com/api-explorer/Checkout/72/post/payments */
export function createPayment(core: SimulatorCore, request: AdyenRequest): AdyenEndpoint {
  const parsed = paymentBody.safeParse(request.body);
  const body = parsed.success ? parsed.data : null;
  const reference = textIn(request.body, 'reference');
  return {
    summary: {
      operation: body === null ? 'charge' : operationOf(body),
      amount: amountIn(request.body),
      reference: reference === null ? null : ownReference(reference),
      ...(body !== null && {
        initiation: initiationOf(body),
        purchase: {
          ip: body.shopperIP,
          phone: body.telephoneNumber,
          return_url: body.returnUrl,
          billing_address: body.billingAddress,
        },
      }),
    },
    check: () => {
      if (!parsed.success) return invalidBody(parsed.error, 'PaymentRequest');
      if (isForeignAccount(parsed.data.merchantAccount)) return invalidMerchantAccount();
      const read = readPayment(parsed.data);
      if ('status' in read) return read;
      return {
        reference: read.charge.reference,
        chargeId: null,
        run: (context) => create(core, context, read, parsed.data),
      };
    },
  };
}

function create(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  read: ReadPayment,
  body: AdyenPaymentBody,
): AdyenResult {
  const { behavior, gateway } = context;
  const lacking = lackedBy(behavior, body);
  if (lacking !== null) return { response: lacking };
  if (read.operation === 'verify') return { response: verify(read, behavior) };
  const previous = behavior.duplicate_id === true ? core.store.newestChargeAt(gateway) : null;
  const splits = bookedSplits(read.data.splits, gateway, core.recipients);
  const charge = { ...read.charge, splits };
  const created = core.charges.create({ ...context, wireData: read.data }, read.operation, charge);
  if ('rejected' in created) return { response: rejected(created.rejected) };
  const first = previous?.operations[0];
  const shown = previous === null || first === undefined ? created : { charge: previous, operation: first };
  return { commit: created, shown };
}

/** A limit of the account: nothing is processed. */
function lackedBy(
  { lacks }: Behavior,
  { paymentMethod, amount }: AdyenPaymentBody,
): SimulatorResponse | null {
  if (lacks === undefined) return null;
  return lacks === 'raw_cards' ? rawCardsNotAllowed() : noAcquirer(paymentMethod.type, amount.currency);
}

/** Asks the issuer about a card. Nothing is kept, so a repeated key is answered anew, and no webhook follows. */
function verify({ charge, data }: ReadPayment, behavior: Behavior): SimulatorResponse {
  if (charge.card === null) return errorOfStatus(422);
  const decision = decideOnCard(charge.card, charge.initiation, new Date());
  if (decision.kind === 'outage') return errorOfStatus(503);
  const decline = scriptedDecline(behavior) ?? (decision.kind === 'decline' ? decision : null);
  const facts = {
    pspReference: referenceFrom(randomUUID()),
    merchantReference: data.reference,
    amount: { currency: charge.currency, value: 0 },
    paymentMethod: { brand: data.card?.brand ?? '', type: 'scheme' },
  };
  if (decline === null) {
    const { network_transaction_id: id, transaction_link_id: link } = newNetworkIds(charge.card.brand);
    const additionalData = {
      refusalReasonRaw: 'AUTHORISED',
      ...(id !== null && { networkTxReference: id }),
      ...(link !== null && { transactionLinkId: link }),
    };
    return { status: 200, body: { ...facts, resultCode: 'Authorised', additionalData } };
  }
  const [refusalReasonCode, refusalReason] = reasonOf(decline);
  const refusal = { refusalReason, refusalReasonCode, additionalData: acquirerDataOf(decline) };
  return { status: 200, body: { ...facts, resultCode: 'Refused', ...refusal } };
}

/** What the core refuses although the request is valid. */
function rejected({ code, message }: { code: string; message: string }): SimulatorResponse {
  return code === 'unavailable' ? errorOfStatus(503) : serviceError(422, '187', message, 'configuration');
}
