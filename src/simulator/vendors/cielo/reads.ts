import type { StoredCharge } from '../../charge-store';
import type { SimulatorCore } from '../adapter';
import { ownReference } from '../our-reference';
import { isReadable } from '../readable-charge';
import {
  type CieloEndpoint,
  type CieloRequest,
  findPayment,
  ok,
  paymentIdOf,
  readablePayment,
} from './endpoint';
import { failure, notFound } from './errors';
import { momentOf, saleObject } from './payment-object';
import { saleDataOf } from './record';

/** `GET /1/sales/{PaymentId}` */
export function showSale(core: SimulatorCore, request: CieloRequest, id: string): CieloEndpoint {
  const reference = findPayment(core, request, id)?.reference ?? null;
  return {
    summary: { operation: 'inquiry', amount: null, reference },
    run: (context) => {
      const charge = readablePayment(core, context, id);
      return { response: charge === null ? notFound() : ok(saleObject(charge, core.origin)) };
    },
  };
}

/** `GET /1/sales?merchantOrderId=`: the ids of its sales, newest first. `ReceveidDate` is the manual's spelling. */
export function findSales(
  core: SimulatorCore,
  { gateway, query }: CieloRequest,
  searchLagMs: number,
): CieloEndpoint {
  const order = query.get('merchantorderid') ?? '';
  return {
    summary: { operation: 'inquiry', amount: null, reference: ownReference(order) || null },
    run: ({ account }) => {
      if (order === '') return { response: failure(122) };
      const found = core.store
        .withReference(gateway, ownReference(order))
        .filter((charge) => saleDataOf(charge).merchant_order_id === order)
        .filter((charge) => isReadable(core, account, charge) && isIndexed(charge, searchLagMs));
      if (found.length === 0) return { response: notFound() };
      const Payment = found.toReversed().map((charge) => ({
        PaymentId: paymentIdOf(charge.id),
        ReceveidDate: momentOf(charge.operations[0]?.at).replace(' ', 'T'),
      }));
      return { response: ok({ Payment }) };
    },
  };
}

function isIndexed({ operations: [first] }: StoredCharge, searchLagMs: number): boolean {
  return Date.parse(first?.at ?? '') <= Date.now() - searchLagMs;
}
