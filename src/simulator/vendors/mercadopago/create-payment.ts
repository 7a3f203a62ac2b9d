import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { ownReference } from '../our-reference';
import { leaveInReview } from '../manual-review';
import type { CardTokens } from './card-tokens';
import {
  type MercadoPagoEndpoint,
  type MercadoPagoRequest,
  type MercadoPagoResult,
  withData,
} from './endpoint';
import { badRequest, errorOf } from './errors';
import { isSellerToken } from './oauth';
import { cents, invalidBody, type MercadoPagoPaymentBody, paymentBody } from './parameters';
import {
  chargeBodyOf,
  initiationOf,
  operationOf,
  paymentDataFrom,
  readPayment,
  type ValidPayment,
} from './payment-body';
import { REVIEWED_HOLDER, TEST_HOLDERS } from './states';

/** `POST /v1/payments`: https://www.mercadopago.com.br/developers/en/reference/payments/_payments/post */
export function createPayment(
  core: SimulatorCore,
  tokens: CardTokens,
  request: MercadoPagoRequest,
): MercadoPagoEndpoint {
  const parsed = paymentBody.safeParse(request.body);
  const body = parsed.success ? parsed.data : null;
  const sent = body?.external_reference ?? referenceIn(request.body);
  const reference = sent === null ? null : ownReference(sent);
  return {
    summary: {
      operation: body === null ? 'charge' : operationOf(body),
      amount: body === null ? null : cents(body.transaction_amount),
      reference,
      ...(body !== null && { initiation: initiationOf(body), purchase: purchaseOf(body) }),
    },
    needsKey: true,
    check: () => {
      if (!parsed.success) return invalidBody(parsed.error);
      const wrongFee = feeProblem(
        parsed.data.application_fee ?? null,
        parsed.data.transaction_amount,
        request,
      );
      if (wrongFee !== null) return wrongFee;
      const read = readPayment(parsed.data, tokens);
      if ('status' in read) return read;
      return {
        reference: reference ?? '',
        chargeId: null,
        run: (context) => {
          if (parsed.data.token) tokens.use(parsed.data.token);
          return create(core, context, read);
        },
      };
    },
  };
}

/** What the request tells about the purchase, without the payer's name and documents. */
function purchaseOf({ description, additional_info, payer }: MercadoPagoPaymentBody): object {
  return { description, additional_info, payer: { address: payer.address } };
}

/** The codes of the page above: 2059, 4038 and 4039. */
function feeProblem(
  fee: number | null,
  amount: number,
  { accessToken }: MercadoPagoRequest,
): SimulatorResponse | null {
  if (fee === null) return null;
  if (fee < 0) return badRequest(4039, 'application_fee cannot be a negative value');
  if (fee > amount) return badRequest(4038, 'application_fee cannot be bigger than transaction_amount');
  return isSellerToken(accessToken ?? '')
    ? null
    : badRequest(2059, 'You cannot use application_fee with this payment');
}

function create(
  core: SimulatorCore,
  context: SimulatorRequestContext,
  read: ValidPayment,
): MercadoPagoResult {
  const { behavior, gateway } = context;
  const previous = behavior.duplicate_id === true ? core.store.newestChargeAt(gateway) : null;
  const word = TEST_HOLDERS.get(read.card?.holderName ?? '') ?? null;
  const isReviewed =
    read.card !== null && (behavior.pending_then !== undefined || read.card.holderName === REVIEWED_HOLDER);
  const fee = (behavior.fee ?? 0) + cents(read.body.application_fee ?? 0);
  const created = core.charges.create(
    withData(
      {
        ...context,
        behavior: { ...behavior, fee, ...(word !== null && { decline_class: 'soft' as const }) },
      },
      paymentDataFrom(read, word ?? (isReviewed ? detailOfReview(read) : null)),
    ),
    isReviewed ? 'authorize' : operationOf(read.body),
    chargeBodyOf(read),
  );
  if ('rejected' in created) return { response: explain(created.rejected.code, created.rejected.message) };
  const commit =
    isReviewed && created.charge.status === 'authorized'
      ? leaveInReview(core, context, created, context.behavior.pending_then !== 'refused')
      : created;
  const first = previous?.operations[0];
  const shown = previous === null || first === undefined ? commit : { charge: previous, operation: first };
  return { commit, shown };
}

const detailOfReview = ({ card }: ValidPayment): string =>
  card?.holderName === REVIEWED_HOLDER ? 'pending_contingency' : 'pending_review_manual';

/** The refusals of the core. */
function explain(code: string, message: string): SimulatorResponse {
  switch (code) {
    case 'unavailable':
      return errorOf(503, { code: 'unavailable', description: message });
    // mercadopago/devsite-docs, page on VTEX: the seller has no pix key.
    case 'pix_disabled':
      return badRequest(13253, 'Collector user without key enabled for QR render');
    // Not documented for an account without boletos.
    case 'billet_disabled':
      return badRequest(3028, 'Invalid payment_method_id');
    case 'splits_disabled':
      return badRequest(2059, 'You cannot use application_fee with this payment');
    // Not documented for an account that may not send card numbers.
    case 'raw_cards_disabled':
      return errorOf(403, { code: 4, description: 'The caller is not authorized to access this resource' });
    case 'unsupported':
      return badRequest(2123, 'Deferred capture not supported');
    case 'amount_too_large':
      return badRequest(2072, 'Invalid value for transaction_amount');
    default:
      return badRequest(1, message);
  }
}

/** The reference even of an invalid request, for the request log. */
function referenceIn(body: unknown): string | null {
  const { external_reference: reference }: { external_reference?: unknown } =
    typeof body === 'object' && body !== null ? body : {};
  return typeof reference === 'string' && reference !== '' ? reference : null;
}
