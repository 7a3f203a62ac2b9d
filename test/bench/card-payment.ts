export const APPROVED_CARD = '4111111111111111';

const CUSTOMERS = 10_000;

export interface CardPayment {
  readonly number: number;
  readonly orderId: string;
  readonly amountCents: number;
  readonly cardNumber?: string;
}

/** The body of `POST /payments/card`. Payments of nearby numbers are different customers'. */
export function cardPaymentBody({ number, orderId, amountCents, cardNumber = APPROVED_CARD }: CardPayment) {
  const customer = String(number % CUSTOMERS).padStart(11, '1');
  return {
    merchant_order_id: orderId,
    amount: amountCents,
    currency: 'BRL',
    payment_method: 'card',
    customer: { name: 'Ana Souza', email: `ana-${customer}@example.com`, document: customer },
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
