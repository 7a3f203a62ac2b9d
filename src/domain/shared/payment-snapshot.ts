/** The customer as it was when the payment was made. */
export interface CustomerSnapshot {
  readonly id: number;
  readonly token: string;
  readonly name: string;
  readonly email: string;
  /** CPF digits, or a CNPJ without punctuation; masked wherever it is shown. */
  readonly document: string;
  readonly phone: string | null;
  readonly address: BillingAddress | null;
}

/** What may be shown and stored of a card (PCI DSS 4.0.1, 3.4.1: at most the first six and last four digits). */
export interface CardSnapshot {
  /** Null unless the card is saved. */
  readonly token: string | null;
  readonly brand: string;
  readonly first6Digits: string;
  readonly last4Digits: string;
  readonly holderName: string;
  readonly expireMonth: number;
  /** Four digits. */
  readonly expireYear: number;
}

export interface BillingAddress {
  readonly street: string;
  readonly number: string;
  readonly complementary?: string | null;
  readonly neighborhood: string;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
  readonly country: string;
}

/** What a charge on a card on file tells the gateway of the series it belongs to (decisions, section 7). */
export interface RecurringCharge {
  readonly sequence: 'first' | 'subsequent';
  /** The network's id of the series' first approved charge; null for that one, and where no gateway told it. */
  readonly networkTransactionId: string | null;
}

export interface PixDetails {
  /** The BR Code's text, "copia e cola". */
  readonly qrCode: string;
  /** Where its picture is. */
  readonly qrCodeUrl: string;
  readonly expiresAt: string;
  readonly endToEndId: string | null;
}

export interface BilletDetails {
  readonly line: string;
  readonly barcode: string;
  readonly url: string;
  readonly dueAt: string;
}
