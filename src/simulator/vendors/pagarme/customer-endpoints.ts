import { type CustomerStore, readCard, type StoredCard } from './customers';
import { NO_PAYMENT, type PagarmeEndpoint, type PagarmeObject, type PagarmeRequest, reply } from './endpoint';
import { invalidBody, notFound } from './errors';
import { customerBody } from './parameters';
import { answer, pageOf } from './reads';
import { cardObject } from './transaction-object';

/** `POST /customers`: https://docs.pagar.me/reference/criar-cliente-1. It moves no money, so no script applies. */
export function createCustomer(customers: CustomerStore, request: PagarmeRequest): PagarmeEndpoint {
  const parsed = customerBody.safeParse(request.body ?? {});
  return {
    summary: NO_PAYMENT,
    check: () => {
      if (!parsed.success) return invalidBody(parsed.error, 'customer', request.body);
      return reply(() => ({ status: 200, body: shown(customers, customers.create(parsed.data)) }));
    },
  };
}

/** `GET /customers/{id}` */
export function showCustomer(customers: CustomerStore, id: string): PagarmeEndpoint {
  return answer(() =>
    customers.find(id) === null ? notFound('Customer') : { status: 200, body: shown(customers, id) },
  );
}

/** `POST /customers/{id}/cards`: https://docs.pagar.me/reference/criar-cartão. A raw card becomes a `card_id`. */
export function createCard(customers: CustomerStore, request: PagarmeRequest, id: string): PagarmeEndpoint {
  return {
    summary: NO_PAYMENT,
    check: () => {
      if (customers.find(id) === null) return notFound('Customer');
      const card = readCard(request.body, 'card', request.body);
      if (!('number' in card)) return card;
      return reply(() => ({ status: 200, body: shownCard(customers.storeCard(card, id)) }));
    },
  };
}

/** `GET /customers/{id}/cards`, newest first. */
export function listCards(customers: CustomerStore, request: PagarmeRequest, id: string): PagarmeEndpoint {
  return answer(() => ({ status: 200, body: pageOf(customers.cardsOf(id).map(shownCard), request) }));
}

/** `GET /customers/{id}/cards/{card_id}` */
export function showCard(customers: CustomerStore, id: string, cardId: string): PagarmeEndpoint {
  return answer(() => {
    const card = customers.findCard(cardId);
    return card?.customerId === id ? { status: 200, body: shownCard(card) } : notFound('Card');
  });
}

function shown(customers: CustomerStore, id: string): PagarmeObject {
  return customers.show(id, new Date().toISOString());
}

function shownCard({ facts, card, at }: StoredCard): PagarmeObject {
  return { ...cardObject(facts, at), holder_name: card.holder_name };
}
