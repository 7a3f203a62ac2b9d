import { randomBytes } from 'node:crypto';
import cardType from 'credit-card-type';
import luhn from 'card-validator/dist/luhn-10';
import { cardBody, type CardBody, type CustomerBody } from './parameters';
import { instant, type PagarmeObject } from './endpoint';
import type { OrderData } from './record';
import type { SimulatorResponse } from '../../replies';
import { invalidBody, invalidRequest } from './errors';

export interface StoredCard {
  readonly facts: NonNullable<OrderData['card']>;
  readonly customerId: string | null;
  /** With the number: never written to the disk. */
  readonly card: CardBody;
  readonly at: string;
}

interface StoredCustomer {
  readonly body: CustomerBody;
  readonly at: string;
}

const MAX_STORED = 10_000;

/** Customers and their cards. They are personal data, so they stay in memory and end with the process. */
export class CustomerStore {
  private readonly customers = new Map<string, StoredCustomer>();
  private readonly cards = new Map<string, StoredCard>();

  create(body: CustomerBody): string {
    const id = `cus_${randomBytes(8).toString('hex')}`;
    keep(this.customers, id, { body, at: new Date().toISOString() });
    return id;
  }

  find(id: string): CustomerBody | null {
    return this.customers.get(id)?.body ?? null;
  }

  storeCard(card: CardBody, customerId: string | null): StoredCard {
    const facts = cardFactsOf(card);
    const stored = { facts, customerId, card, at: new Date().toISOString() };
    keep(this.cards, facts.id, stored);
    return stored;
  }

  findCard(id: string): StoredCard | null {
    return this.cards.get(id) ?? null;
  }

  cardsOf(customerId: string): StoredCard[] {
    return [...this.cards.values()].filter((card) => card.customerId === customerId).toReversed();
  }

  /** SDK 7.0.2: `getCustomerResponse`. After a restart only the id is known. */
  show(id: string | null, createdAt: string): PagarmeObject {
    const stored = id === null ? undefined : this.customers.get(id);
    const { name, email, document, type, code, phones } = stored?.body ?? {};
    const at = instant(stored?.at ?? createdAt);
    return {
      id,
      name: name ?? '',
      email: email ?? '',
      ...(document !== null && { document }),
      ...(type !== null && { type }),
      ...(code !== null && { code }),
      delinquent: false,
      created_at: at,
      updated_at: at,
      phones: phones ?? {},
    };
  }
}

function keep<T>(map: Map<string, T>, id: string, value: T): void {
  map.set(id, value);
  const [oldest] = map.keys();
  if (map.size > MAX_STORED && oldest !== undefined) map.delete(oldest);
}

/** What answers repeat of a card. Recorded: `"brand": "Visa"`. */
function cardFactsOf({ number, exp_month, exp_year }: CardBody): StoredCard['facts'] {
  return {
    id: `card_${randomBytes(8).toString('hex')}`,
    brand: cardType(number)[0]?.niceType ?? '',
    first_six_digits: number.slice(0, 6),
    last_four_digits: number.slice(-4),
    exp_month,
    exp_year,
  };
}

/** The card of a body, or what is wrong with it. `root` is the name of the card in field names. */
export function readCard(card: unknown, root: string, request: unknown): CardBody | SimulatorResponse {
  const parsed = cardBody.safeParse(card);
  if (!parsed.success) return invalidBody(parsed.error, root, request);
  const { number, exp_month, exp_year } = parsed.data;
  const wrong = (field: string, message: string) => invalidRequest({ [field]: [message] }, request);
  // Both messages: https://docs.pagar.me/reference/erros-1.
  if (!/^\d{13,19}$/.test(number)) {
    const length = 'a minimum length of 13 and a maximum length of 19';
    return wrong(`${root}.number`, `The field number must be a string with ${length}.`);
  }
  if (!luhn(number)) return wrong(root, 'The number field is not a valid card number');
  const year = exp_year < 100 ? 2000 + exp_year : exp_year;
  if (Date.UTC(year, exp_month, 1) <= Date.now()) return wrong(`${root}.exp_year`, 'Card expired.');
  return { ...parsed.data, exp_year: year };
}
