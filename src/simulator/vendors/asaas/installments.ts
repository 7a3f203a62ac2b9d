import type { StoredCharge } from '../../charge-store';
import type { SimulatorCore, WorkResult } from '../adapter';
import { isReadable } from '../readable-charge';
import { dayOf, reais } from './amounts';
import { type AsaasEndpoint, type AsaasObject, type AsaasRequest, ok } from './endpoint';
import { invalidBody, notFound } from './errors';
import { refundPayment } from './follow-ups';
import { chargeOfInstallment, paymentIdOf } from './ids';
import { pageOf, pagingOf } from './pages';
import { noBody } from './parameters';
import { createdAt, paymentObject } from './payment-object';
import { centsOf, partsOf, paymentDataOf, refundsOf } from './record';
import { refundObject } from './payment-object';

/** `GET /v3/installments/{id}`, `/{id}/payments` and `POST /v3/installments/{id}/refund`: asaasdev/asaas-api-sdk-java, `InstallmentService`. */
export function installmentEndpoint(
  core: SimulatorCore,
  request: AsaasRequest,
  id: string,
  action: string,
): AsaasEndpoint | null {
  const find = (): StoredCharge | null => {
    const charge = core.store.find(request.gateway, chargeOfInstallment(id));
    return charge === null || charge.status === 'declined' || partsOf(charge).length === 1 ? null : charge;
  };
  const read = (respond: (charge: StoredCharge) => WorkResult['response']): AsaasEndpoint => ({
    summary: { operation: 'inquiry', amount: null, reference: find()?.reference ?? null },
    run: ({ account }) => {
      const charge = find();
      return { response: isReadable(core, account, charge) ? respond(charge) : notFound() };
    },
  });
  switch (`${request.method} ${action}`) {
    case 'GET ':
      return read((charge) => ok(installmentObject(charge, core.origin)));
    case 'GET payments':
      return read((charge) => {
        const paging = pagingOf(request.query);
        if ('status' in paging) return paging;
        return ok(
          pageOf(
            partsOf(charge).map((part) => paymentObject({ charge, part }, core.origin)),
            paging,
          ),
        );
      });
    case 'POST refund':
      return refundInstallment(core, request, find);
    default:
      return null;
  }
}

/** All payments of the installment at once; the SDK sends no body. */
function refundInstallment(
  core: SimulatorCore,
  request: AsaasRequest,
  find: () => StoredCharge | null,
): AsaasEndpoint {
  const charge = find();
  const parsed = noBody.safeParse(request.body);
  if (charge === null) return { summary: NOT_FOUND, run: () => ({ response: notFound() }) };
  const endpoint = refundPayment(core, { ...request, body: {} }, paymentIdOf(charge.id, 1), {
    isWhole: true,
  });
  return {
    ...endpoint,
    run: (context) => {
      if (!parsed.success) return { response: invalidBody(parsed.error) };
      const result = endpoint.run(context);
      const { charge: changed } = result;
      return changed === undefined || result.response.status !== 200
        ? result
        : { ...result, response: ok(installmentObject(changed, core.origin)) };
    },
  };
}

const NOT_FOUND = { operation: 'refund', amount: null, reference: null } as const;

/** `InstallmentGetResponseDto` of the SDK. */
function installmentObject(charge: StoredCharge, origin: string): AsaasObject {
  const data = paymentDataOf(charge);
  const { billingType, paymentDate, transactionReceiptUrl, creditCard } = paymentObject(
    { charge, part: 1 },
    origin,
  );
  return {
    object: 'installment',
    id: charge.id.slice('ch_'.length),
    value: reais(charge.amount),
    netValue: reais(charge.amount - data.fee),
    paymentValue: reais(centsOf(charge, 1)),
    installmentCount: data.installments,
    billingType,
    paymentDate,
    description: data.description,
    expirationDay: Number(data.due_date.slice(8)),
    dateCreated: dayOf(createdAt(charge)),
    customer: data.customer,
    paymentLink: null,
    checkoutSession: null,
    transactionReceiptUrl,
    chargeback: null,
    ...(creditCard !== undefined && { creditCard }),
    deleted: false,
    refunds: partsOf(charge).flatMap((part) =>
      refundsOf(charge, part).map((operation) => ({
        ...refundObject({ charge, part }, operation, origin),
        paymentId: paymentIdOf(charge.id, part),
      })),
    ),
  };
}
