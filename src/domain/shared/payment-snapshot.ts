/** The customer at the time of the payment. Personal data is null once the customer is erased. */
export interface CustomerSnapshot {
  readonly id: number;
  readonly token: string;
  /** Whether the document is a CPF or a CNPJ. */
  readonly type: 'individual' | 'corporation';
  readonly name: string | null;
  readonly email: string | null;
  /** A CPF or CNPJ without punctuation. Always masked for display. */
  readonly document: string | null;
  readonly phone: string | null;
  readonly address: BillingAddress | null;
}

/** The card data that may be stored and displayed (PCI DSS 4.0.1, 3.4.1: at most the first six and last four digits). */
export interface CardSnapshot {
  /** Null unless the card is saved. */
  readonly token: string | null;
  readonly brand: string;
  readonly first6Digits: string;
  readonly last4Digits: string;
  /** Null once the customer is erased. */
  readonly holderName: string | null;
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

export interface PixDetails {
  /** The BR Code text ("copia e cola"). */
  readonly qrCode: string;
  /** URL of the QR code image. */
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
