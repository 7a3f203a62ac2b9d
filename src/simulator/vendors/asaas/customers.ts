import { randomInt, randomUUID } from 'node:crypto';
import cardType from 'credit-card-type';
import { dayOf } from './amounts';
import type { AsaasObject } from './endpoint';
import type { AsaasCard, AsaasCustomerBody } from './parameters';
import type { AsaasPaymentData } from './record';

interface StoredCustomer {
  readonly id: string;
  /** The account that created it: another one does not see it. */
  readonly account: string;
  readonly body: AsaasCustomerBody;
  readonly at: string;
}

/** A card that pays by its token. The number is never written to the disk. */
export interface AsaasTokenizedCard {
  readonly facts: NonNullable<AsaasPaymentData['card']>;
  readonly customerId: string;
  readonly card: Omit<AsaasCard, 'ccv'>;
}

const MAX_STORED = 10_000;

/** Customers and the tokens of their cards. They are personal data, so they stay in memory and end with the process. */
export class AsaasCustomers {
  private readonly customers = new Map<string, StoredCustomer>();
  private readonly cards = new Map<string, AsaasTokenizedCard>();

  /** The same person may be a customer several times: no uniqueness is documented. */
  create(account: string, body: AsaasCustomerBody): StoredCustomer {
    // Recorded: `cus_000008394954`.
    const id = `cus_${String(randomInt(10_000_000_000)).padStart(12, '0')}`;
    const cpfCnpj = body.cpfCnpj.replaceAll(/[^0-9A-Za-z]/g, '');
    const customer = { id, account, body: { ...body, cpfCnpj }, at: new Date().toISOString() };
    keep(this.customers, id, customer);
    return customer;
  }

  find(account: string, id: string): StoredCustomer | null {
    const customer = this.customers.get(id);
    return customer?.account === account ? customer : null;
  }

  /** Newest first. `ListCustomersParameters` of the SDK. */
  list(account: string, filter: Readonly<Record<string, string | undefined>>): StoredCustomer[] {
    const wanted = Object.entries(filter);
    return [...this.customers.values()]
      .filter((customer) => {
        const fields: Readonly<Record<string, unknown>> = customer.body;
        return (
          customer.account === account &&
          wanted.every(([name, value]) => value === undefined || fields[name] === value)
        );
      })
      .toReversed();
  }

  /** Every card that pays gets a token: https://docs.asaas.com/docs/cobrancas-via-cartao-de-credito */
  tokenize(customerId: string, { ccv: _, ...card }: AsaasCard): AsaasTokenizedCard {
    const facts = {
      creditCardNumber: card.number.slice(-4),
      creditCardBrand: brandOf(card.number),
      creditCardToken: randomUUID(),
    };
    const stored = { facts, customerId, card };
    keep(this.cards, facts.creditCardToken, stored);
    return stored;
  }

  /** Null also for the token of another customer (recorded `pay-with-token-of-another-customer`). */
  findCard(customerId: string, token: string): AsaasTokenizedCard | null {
    const card = this.cards.get(token);
    return card?.customerId === customerId ? card : null;
  }
}

function keep<T>(map: Map<string, T>, id: string, value: T): void {
  map.set(id, value);
  const [oldest] = map.keys();
  if (map.size > MAX_STORED && oldest !== undefined) map.delete(oldest);
}

/** `PaymentSaveWithCreditCardCreditCardCreditCardBrand` of the SDK. */
const BRANDS: Readonly<Record<string, string>> = {
  visa: 'VISA',
  mastercard: 'MASTERCARD',
  elo: 'ELO',
  'diners-club': 'DINERS',
  discover: 'DISCOVER',
  'american-express': 'AMEX',
  jcb: 'JCB',
};

function brandOf(number: string): string {
  return BRANDS[cardType(number)[0]?.type ?? ''] ?? 'UNKNOWN';
}

/** `CustomerGetResponseDto` of the SDK. */
export function customerObject({ id, body, at }: StoredCustomer): AsaasObject {
  const { notificationDisabled, foreignCustomer, complement, observations, ...rest } = body;
  const { municipalInscription: _m, stateInscription: _s, groupName: _g, company: _c, ...shown } = rest;
  return {
    object: 'customer',
    id,
    dateCreated: dayOf(at),
    ...shown,
    complement,
    observations,
    personType: body.cpfCnpj.length === 11 ? 'FISICA' : 'JURIDICA',
    deleted: false,
    city: null,
    cityName: null,
    state: null,
    country: 'Brasil',
    notificationDisabled: notificationDisabled ?? false,
    foreignCustomer: foreignCustomer ?? false,
  };
}
