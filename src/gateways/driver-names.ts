interface VendorAddresses {
  readonly api: string | null;
  readonly auth?: string;
  readonly balance?: string;
  readonly disputes?: string;
  readonly files?: string;
  readonly keys?: string;
  readonly kyc?: string;
  readonly oauth?: string | null;
  readonly query?: string;
}

/**
 * The drivers by the names that settings use. For each of its endpoints the vendor's live address; null if the deployment
 * must set it. Every driver has the endpoint `api`.
 */
export const DRIVER_ENDPOINTS = {
  /** The gateway simulator. */
  simulator: { api: null },
  /**
   * https://docs.adyen.com/development-resources/live-endpoints: each company has a prefix of its own, by its credentials. The others are
   * for recipients and for answers to disputes: the servers of LegalEntityService, BalancePlatformService and DisputeService in
   * Adyen/adyen-openapi, of which Adyen's SDK makes the live ones by the word `live`.
   */
  adyen: {
    api: 'https://checkout-live.adyenpayments.com/checkout',
    kyc: 'https://kyc-live.adyen.com/lem',
    balance: 'https://balanceplatform-api-live.adyen.com/bcl',
    disputes: 'https://ca-live.adyen.com/ca/services/DisputeService',
  },
  /** https://docs.asaas.com/docs/api-keys */
  asaas: { api: 'https://api.asaas.com' },
  /** https://developercielo.github.io/manual/cielo-ecommerce: one host changes, the other only reads. */
  cielo: {
    api: 'https://api.cieloecommerce.cielo.com.br',
    query: 'https://apiquery.cieloecommerce.cielo.com.br',
  },
  /** https://docs.pagar.me/reference. Its webhooks are signed with the keys of the other address. */
  pagarme: { api: 'https://api.pagar.me', keys: 'https://hubapi.pagar.me' },
  /** https://www.mercadopago.com.br/developers/en/reference. Sellers consent at the other address: sdk-nodejs 3.6.1, OAuth. */
  mercadopago: { api: 'https://api.mercadopago.com', auth: 'https://auth.mercadopago.com' },
  /**
   * A bank's Pix API, by the central bank's standard. `api` is its address up to and with the version, before `/cob`; below `oauth`
   * it gives access tokens.
   */
  'pix-bacen': { api: null, oauth: null },
  /** https://docs.stripe.com/api. Files are uploaded to the other address: https://docs.stripe.com/api/files/create */
  stripe: { api: 'https://api.stripe.com', files: 'https://files.stripe.com' },
} as const satisfies Record<string, VendorAddresses>;

export type DriverName = keyof typeof DRIVER_ENDPOINTS;

export const DRIVER_NAMES = Object.keys(DRIVER_ENDPOINTS) as DriverName[];

/** URLs without a trailing slash, by the driver's names for its endpoints. */
export type Endpoints = Readonly<Record<string, string>>;
