import { toSVG } from 'bwip-js/node';
import type { StoredCharge } from '../../charge-store';
import type { SimulatorRequestContext } from '../../charges';
import type { SimulatorResponse } from '../../replies';
import type { SimulatorCore } from '../adapter';
import { isReadable } from '../readable-charge';
import { dayOf, endOf, momentOf, reais } from './amounts';
import {
  type AsaasEndpoint,
  type AsaasObject,
  type AsaasRequest,
  findPayment,
  NO_PAYMENT,
  ok,
  type PaymentOfCharge,
  readablePayment,
} from './endpoint';
import { invalid, invalidBody, notFound } from './errors';
import { chargeOfPixTransaction, installmentIdOf, numberOf, paymentIdOf, pixTransactionIdOf } from './ids';
import { pageOf, pagingOf } from './pages';
import { listQuery } from './parameters';
import { BILLING_TYPES, createdAt, isDeleted, paymentObject, refundObject } from './payment-object';
import { partsOf, paymentDataOf, refundsOf } from './record';
import { paymentStatusOf } from './states';

/** The endpoints that only read. They show the payments of the secret key's account. */
export class AsaasReads {
  constructor(
    private readonly core: SimulatorCore,
    /** How long lists do not know a new payment, in ms. */
    private readonly searchLagMs: number,
  ) {}

  /** `GET /v3/payments`: https://docs.asaas.com/reference/list-payments. `externalReference` is ours, and not unique. */
  list({ gateway, query }: AsaasRequest): AsaasEndpoint {
    const reference = query.get('externalReference');
    return {
      summary: { operation: 'inquiry', amount: null, reference },
      run: ({ account }) => {
        const parsed = listQuery.safeParse(Object.fromEntries(query));
        if (!parsed.success) return { response: invalidBody(parsed.error) };
        const paging = pagingOf(query);
        if ('status' in paging) return { response: paging };
        const indexed = Date.now() - this.searchLagMs;
        const found = this.core.store
          .newestFirst(gateway)
          .filter((charge) => isListed(charge) && isReadable(this.core, account, charge))
          .filter((charge) => matchesCharge(query, charge))
          .filter((charge) => Date.parse(createdAt(charge)) <= indexed && isWithin(query, charge))
          .flatMap((charge) => partsOf(charge).map((part) => ({ charge, part })))
          .filter(({ charge, part }) => hasStatus(query, charge, part));
        const { data, ...page } = pageOf(found, paging);
        return { response: ok({ ...page, data: data.map((payment) => this.show(payment)) }) };
      },
    };
  }

  /** `GET /v3/payments/{id}` */
  payment(request: AsaasRequest, id: string): AsaasEndpoint {
    return this.of(request, id, (payment) => ok(this.show(payment)));
  }

  /** `GET /v3/payments/{id}/status` */
  status(request: AsaasRequest, id: string): AsaasEndpoint {
    return this.of(request, id, (payment) => ok({ status: this.show(payment).status }));
  }

  /** `GET /v3/payments/{id}/refunds`: `PaymentRefundListResponseDto` of the SDK. */
  refunds(request: AsaasRequest, id: string): AsaasEndpoint {
    return this.of(request, id, (payment) => {
      const paging = pagingOf(request.query);
      if ('status' in paging) return paging;
      const refunds = refundsOf(payment.charge, payment.part);
      return ok(
        pageOf(
          refunds.map((each) => refundObject(payment, each, this.core.origin)),
          paging,
        ),
      );
    });
  }

  /** `GET /v3/payments/{id}/pixQrCode`: https://docs.asaas.com/reference/get-qr-code-for-payments-via-pix. Here without a code for a boleto. */
  pixQrCode(request: AsaasRequest, id: string): AsaasEndpoint {
    return this.of(request, id, ({ charge }) => {
      if (charge.pix === null) return invalid('invalid_action', 'Esta cobrança não pode ser paga por Pix.');
      const { qrCode } = charge.pix;
      const { due_date } = paymentDataOf(charge);
      return ok({
        encodedImage: Buffer.from(toSVG({ bcid: 'qrcode', text: qrCode })).toString('base64'),
        payload: qrCode,
        expirationDate: momentOf(charge.expiresAt ?? endOf(due_date)),
      });
    });
  }

  /** `GET /v3/payments/{id}/identificationField` of a boleto. */
  identificationField(request: AsaasRequest, id: string): AsaasEndpoint {
    return this.of(request, id, ({ charge }) => {
      if (charge.billet === null) return invalid('invalid_action', 'Esta cobrança não é um boleto.');
      const { line, barcode } = charge.billet;
      return ok({ identificationField: line, nossoNumero: numberOf(charge.id, 9), barCode: barcode });
    });
  }

  /** `GET /v3/pix/transactions/{id}`: `PixTransactionGetResponseDto` of the SDK, of the transfer that paid a payment. */
  pixTransaction({ gateway }: AsaasRequest, id: string): AsaasEndpoint {
    const find = (): StoredCharge | null => this.core.store.find(gateway, chargeOfPixTransaction(id));
    return {
      summary: { ...NO_PAYMENT, operation: 'inquiry', reference: find()?.reference ?? null },
      run: ({ account }) => {
        const charge = find();
        const isPaid = isReadable(this.core, account, charge) && (charge.pix?.endToEndId ?? null) !== null;
        return { response: isPaid ? ok(pixTransactionObject(charge)) : notFound() };
      },
    };
  }

  private of(
    request: AsaasRequest,
    id: string,
    respond: (payment: PaymentOfCharge, context: SimulatorRequestContext) => SimulatorResponse,
  ): AsaasEndpoint {
    const reference = findPayment(this.core, request, id)?.charge.reference ?? null;
    return {
      summary: { operation: 'inquiry', amount: null, reference },
      run: (context) => {
        const payment = readablePayment(this.core, context, id);
        return { response: payment === null ? notFound() : respond(payment, context) };
      },
    };
  }

  private show(payment: PaymentOfCharge): AsaasObject {
    return paymentObject(payment, this.core.origin);
  }
}

/** Declined payments are not kept, and removed ones are in no list. */
const isListed = (charge: StoredCharge): boolean => charge.status !== 'declined' && !isDeleted(charge);

function isWithin(query: URLSearchParams, charge: StoredCharge): boolean {
  return (
    isBetween(query, 'dateCreated', () => dayOf(createdAt(charge))) &&
    isBetween(query, 'dueDate', () => paymentDataOf(charge).due_date)
  );
}

/** A day is computed only for a question about it: a list reads every payment. */
function isBetween(query: URLSearchParams, name: string, dayOfCharge: () => string): boolean {
  const [from, until] = [query.get(`${name}[ge]`), query.get(`${name}[le]`)];
  if (from === null && until === null) return true;
  const day = dayOfCharge();
  return (from === null || day >= from) && (until === null || day <= until);
}

function matchesCharge(query: URLSearchParams, charge: StoredCharge): boolean {
  const data = paymentDataOf(charge);
  const values = {
    externalReference: data.external_reference,
    customer: data.customer,
    billingType: BILLING_TYPES[charge.method],
    installment: data.installments > 1 ? installmentIdOf(charge.id) : null,
  };
  return Object.entries(values).every(([name, value]) => !query.has(name) || value === query.get(name));
}

function hasStatus(query: URLSearchParams, charge: StoredCharge, part: number): boolean {
  return !query.has('status') || paymentStatusOf(charge, part) === query.get('status');
}

function pixTransactionObject(charge: StoredCharge): AsaasObject {
  const paid = createdAt(charge);
  return {
    id: pixTransactionIdOf(charge.id),
    endToEndIdentifier: charge.pix?.endToEndId,
    finality: null,
    value: reais(charge.paid),
    changeValue: null,
    refundedValue: reais(charge.refunded),
    dateCreated: momentOf(paid),
    effectiveDate: momentOf(paid),
    scheduledDate: null,
    status: 'DONE',
    type: 'CREDIT',
    originType: 'DYNAMIC_QRCODE',
    conciliationIdentifier: installmentIdOf(charge.id).replaceAll('-', ''),
    description: null,
    transactionReceiptUrl: null,
    refusalReason: null,
    canBeCanceled: false,
    canBeRefunded: charge.refunded < charge.captured,
    refundDisabledReason: null,
    originalTransaction: null,
    externalAccount: null,
    qrCode: null,
    chargedFeeValue: reais(paymentDataOf(charge).fee),
    payment: paymentIdOf(charge.id, 1),
    addressKey: null,
    addressKeyType: null,
    transferId: null,
    externalReference: paymentDataOf(charge).external_reference,
  };
}
