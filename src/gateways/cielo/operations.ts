import { GatewayError } from '../errors';
import { followUpOutcome } from '../follow-up-outcome';
import type { Accepted, FollowUp, GatewayContext, Outcome } from '../gateway';
import { readReply } from '../read-reply';
import { change, readSale, salePath } from './calls';
import { beforeChange, cieloErrorOf } from './errors';
import { capturedCents, isPaid, methodOf, refundedCents, stageOf } from './outcomes';
import { type CieloChange, type CieloPayment, changeReply } from './wire';

/** Captures an authorization once, the whole amount or a part. */
export async function capture(ctx: GatewayContext, operation: FollowUp): Promise<Accepted> {
  const { gatewayTransactionId: id, amountCents } = operation;
  const sale = await readBefore(ctx, id);
  if (stageOf(sale) !== 'authorized') throw refused('the charge is not authorized');
  if (amountCents > sale.Amount) throw refused('the amount exceeds the authorized amount');
  const answer = await put(ctx, id, `capture?amount=${amountCents}`);
  if (answer.Status !== 2 || !isSuccess(answer)) throw notDone(answer);
  return followUpOutcome('approved', id, amountCents);
}

/**
 * Voids an authorization. The request that voids it would also give back a captured sale, so the state is read before.
 */
export async function cancel(ctx: GatewayContext, operation: FollowUp): Promise<Accepted> {
  const { gatewayTransactionId: id } = operation;
  const sale = await readBefore(ctx, id);
  const stage = stageOf(sale);
  if (stage === 'pending')
    throw new GatewayError('unsupported', 'this gateway cancels no unpaid pix or boleto');
  if (stage !== 'authorized') throw refused('the charge can no longer be canceled');
  const answer = await put(ctx, id, `void?amount=${sale.Amount}`);
  if (answer.Status !== 10 || !isSuccess(answer)) throw notDone(answer);
  return followUpOutcome('canceled', id, sale.Amount);
}

/** Refunds a captured card or a paid pix. Cielo refunds a pix later. */
export async function refund(ctx: GatewayContext, operation: FollowUp): Promise<Outcome> {
  const { gatewayTransactionId: id, amountCents } = operation;
  const sale = await readBefore(ctx, id);
  if (methodOf(sale) === 'billet')
    throw new GatewayError('unsupported', 'this gateway does not refund boletos');
  if (!isPaid(stageOf(sale))) throw refused('the charge cannot be refunded');
  if (amountCents > capturedCents(sale) - refundedCents(sale))
    throw refused('the amount exceeds the captured amount that is left');
  const answer = await put(ctx, id, `void?amount=${amountCents}`);
  if (!isSuccess(answer)) throw notDone(answer);
  switch (answer.Status) {
    case 2:
    case 10:
    case 11:
      return followUpOutcome('refunded', id, amountCents);
    case 12:
      return followUpOutcome('pending', id, amountCents);
    case 0:
    case 1:
    case 3:
    case 13:
    case 20:
      throw notDone(answer);
  }
}

/** The sale before a request that changes it. Nothing has been sent if it cannot be read. */
async function readBefore(ctx: GatewayContext, id: string): Promise<CieloPayment> {
  const { Payment } = await beforeChange(readSale(ctx, id, ctx.sendBefore));
  if (Payment.PaymentId !== id.toLowerCase())
    throw new GatewayError('not_sent', 'the gateway showed another charge');
  return Payment;
}

async function put(ctx: GatewayContext, id: string, action: string): Promise<CieloChange> {
  const response = await change(ctx, { method: 'PUT', path: `${salePath(id)}/${action}` });
  if (response.status !== 200) throw cieloErrorOf(response);
  const answer = readReply(response, changeReply);
  const isOurs = (answer.Links ?? []).some(({ Href }) => Href.toLowerCase().includes(id.toLowerCase()));
  if (!isOurs) throw new GatewayError('ambiguous', 'the gateway answered for another charge');
  return answer;
}

/** "Códigos de Retorno de Cancelamento": 0 and 9; 6 of a capture. */
const SUCCESS_CODES: ReadonlySet<string> = new Set(['0', '00', '6', '9']);
/** The same list: a void is under way (10, 223, 476), or nobody knows (timeouts, failed processing). */
export const UNKNOWN_CODES: ReadonlySet<string> = new Set([
  ...['5', '10', '57', '97', '98', '99', '117', '223', '476', '504'],
]);

function isSuccess({ ReturnCode, ReasonCode }: CieloChange): boolean {
  return ReturnCode === null ? ReasonCode === '0' : SUCCESS_CODES.has(ReturnCode);
}

/** The list has only codes of two or three digits and 9016; any other is not Cielo's refusal. */
const REFUSAL = /^(?:\d{1,3}|9016)$/;

/** Cielo answers 200 to a refused void or capture. */
function notDone({ ReturnCode: code, ReasonCode }: CieloChange): GatewayError {
  const isRefusal =
    code !== null && REFUSAL.test(code) && !UNKNOWN_CODES.has(code) && !SUCCESS_CODES.has(code);
  return isRefusal
    ? new GatewayError('invalid_request', `the gateway refused the operation with the code ${code}`, code)
    : new GatewayError(
        'ambiguous',
        'the gateway does not tell the result of the operation',
        code ?? ReasonCode,
      );
}

function refused(message: string): GatewayError {
  return new GatewayError('invalid_request', message);
}
