export const APPROVED_CARD = '4111111111111111';

const CUSTOMERS = 10_000;

export interface BenchOrder {
  readonly number: number;
  readonly orderId: string;
  readonly amountCents: number;
}

export interface BenchCardPayment extends BenchOrder {
  readonly cardNumber?: string;
}

/** The body of `POST /payments/pix`. Consecutive numbers have different customers. */
export function pixPaymentBody({ number, orderId, amountCents }: BenchOrder) {
  const customer = String(number % CUSTOMERS).padStart(11, '1');
  return {
    merchant_order_id: orderId,
    amount: amountCents,
    currency: 'BRL',
    customer: { name: 'Ana Souza', email: `ana-${customer}@example.com`, document: customer },
  };
}

/** The body of `POST /payments/card`. */
export function cardPaymentBody({ cardNumber = APPROVED_CARD, ...order }: BenchCardPayment) {
  return {
    ...pixPaymentBody(order),
    payment_method: 'card',
    card: { number: cardNumber, holder_name: 'ANA SOUZA', expire_month: 12, expire_year: 2035, cvv: '123' },
    billing_address: {
      street: 'Rua Augusta',
      number: '100',
      neighborhood: 'Centro',
      city: 'São Paulo',
      state: 'SP',
      zip_code: '01304000',
      country: 'BR',
    },
  };
}
