import type { Mail } from '../../domain/companies/mail';
import type { DueReceipt } from '../../domain/checkout/receipt';
import type { PaymentMethod } from '../../domain/payments/payment';
import { currencyDecimals, majorUnits } from '../../domain/shared/currency';
import type { Language } from '../../domain/users/language';

/** What the receipt shows of the payment. */
export interface ReceiptPayment {
  readonly transactionId: string;
  readonly merchantOrderId: string;
  readonly amountCents: number;
  /** What was paid, if it differs; null otherwise. */
  readonly paidAmountCents: number | null;
  readonly currency: string;
  readonly installments: number;
  readonly paymentMethod: PaymentMethod;
  readonly card: { readonly brand: string; readonly last4Digits: string } | null;
  readonly paidAt: Date | null;
  readonly createdAt: Date;
}

const LOCALES: Readonly<Record<Language, string>> = { en: 'en', pt: 'pt-BR' };

interface Texts {
  readonly subject: (merchant: string, amount: string) => string;
  readonly paid: (merchant: string, amount: string) => string;
  readonly item: string;
  readonly amount: string;
  readonly installments: (count: number) => string;
  readonly method: string;
  readonly card: (brand: string, lastFour: string) => string;
  readonly methods: Readonly<Record<PaymentMethod, string>>;
  readonly date: string;
  readonly order: string;
  readonly payment: string;
  readonly questions: (merchant: string) => string;
}

const TEXTS: Readonly<Record<Language, Texts>> = {
  en: {
    subject: (merchant, amount) => `Receipt from ${merchant}: ${amount}`,
    paid: (merchant, amount) => `You paid ${amount} to ${merchant}.`,
    item: 'Item',
    amount: 'Amount',
    installments: (count) => `in ${count} installments`,
    method: 'Paid with',
    card: (brand, lastFour) => `${brand} ending in ${lastFour}`,
    methods: { card: 'Card', pix: 'Pix', billet: 'Boleto' },
    date: 'Date',
    order: 'Order',
    payment: 'Payment',
    questions: (merchant) => `If you have a question about the purchase, ask ${merchant}.`,
  },
  pt: {
    subject: (merchant, amount) => `Recibo de ${merchant}: ${amount}`,
    paid: (merchant, amount) => `Você pagou ${amount} a ${merchant}.`,
    item: 'Item',
    amount: 'Valor',
    installments: (count) => `em ${count} parcelas`,
    method: 'Pago com',
    card: (brand, lastFour) => `${brand} com final ${lastFour}`,
    methods: { card: 'Cartão', pix: 'Pix', billet: 'Boleto' },
    date: 'Data',
    order: 'Pedido',
    payment: 'Pagamento',
    questions: (merchant) => `Se tiver uma dúvida sobre a compra, fale com ${merchant}.`,
  },
};

/** To a buyer, in the buyer's language: a payment was made. */
export function receiptMail(to: string, receipt: DueReceipt, payment: ReceiptPayment): Mail {
  const { language, timezone } = receipt;
  const texts = TEXTS[language];
  // The company's own words: no line of them may look like one of ours.
  const merchant = oneLine(receipt.merchant);
  const amount = amountOf(payment, language);
  const { installments, card, paymentMethod: method } = payment;
  const facts: ReadonlyArray<readonly [string, string | null]> = [
    [texts.item, receipt.item && oneLine(receipt.item)],
    [texts.amount, installments > 1 ? `${amount} ${texts.installments(installments)}` : amount],
    [
      texts.method,
      card === null ? texts.methods[method] : texts.card(brandName(card.brand), card.last4Digits),
    ],
    [texts.date, dateIn(payment.paidAt ?? payment.createdAt, timezone, language)],
    [texts.order, oneLine(payment.merchantOrderId)],
    [texts.payment, payment.transactionId],
  ];
  const lines = facts.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value ?? ''}`);
  return {
    to,
    subject: texts.subject(merchant, amount),
    text: [texts.paid(merchant, amount), '', ...lines, '', texts.questions(merchant)].join('\n'),
  };
}

function amountOf({ amountCents, paidAmountCents, currency }: ReceiptPayment, language: Language): string {
  const digits = currencyDecimals(currency);
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(majorUnits(paidAmountCents ?? amountCents, currency))
    .replaceAll('\u00A0', ' ');
}

/** With the zone's name, because the buyer may live in another. */
function dateIn(instant: Date, timeZone: string, language: Language): string {
  const format = new Intl.DateTimeFormat(LOCALES[language], {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  });
  return `${format.format(instant).replaceAll('\u202F', ' ')} (${timeZone})`;
}

const brandName = (brand: string): string => brand.charAt(0).toUpperCase() + brand.slice(1);

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();
