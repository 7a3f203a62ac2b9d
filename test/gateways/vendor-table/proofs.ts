import type { DriverName } from '../../../src/gateways/driver-names';

/** The drivers of real vendors. */
export type VendorName = Exclude<DriverName, 'simulator'>;

export interface Proof {
  /** What says so, for example the vendor's OpenAPI document. */
  readonly by: string;
  /** The test, or folder of tests, below `test`. */
  readonly test: string;
}

/** How each driver is proven without the vendor; null: not proven. */
export interface VendorProofs {
  /** What all drivers must do, against the simulator's fake of the vendor. */
  readonly contract: Proof;
  readonly requests: Proof | null;
  readonly fake: Proof | null;
  readonly recordedAnswers: Proof | null;
  readonly signatures: Proof | null;
  /** From the API to the ledger. */
  readonly engine: Proof;
}

const contractOf = (vendor: VendorName): Proof => ({
  by: 'all tests',
  test: `gateways/contract/${vendor}.test.ts`,
});
const engineOf = (vendor: VendorName): Proof => ({
  by: 'API, workflows, ledger',
  test: `gateways/${vendor}/engine.test.ts`,
});

export const PROOFS: Readonly<Record<VendorName, VendorProofs>> = {
  adyen: {
    contract: contractOf('adyen'),
    requests: {
      by: 'OpenAPI document, SDK, requests of another implementation',
      test: 'unit/gateways/adyen/request-shapes.test.ts',
    },
    fake: { by: 'OpenAPI document, SDK', test: 'gateways/vendors/adyen/shapes.test.ts' },
    recordedAnswers: { by: '44 recorded answers', test: 'unit/gateways/adyen/recorded.test.ts' },
    signatures: { by: 'SDK, both ways', test: 'unit/gateways/adyen/callbacks.test.ts' },
    engine: engineOf('adyen'),
  },
  asaas: {
    contract: contractOf('asaas'),
    requests: { by: 'models of the SDK', test: 'gateways/asaas/shapes.test.ts' },
    fake: { by: 'models of the SDK', test: 'gateways/vendors/asaas/shapes.test.ts' },
    recordedAnswers: { by: '11 recorded answers', test: 'unit/gateways/asaas/recorded.test.ts' },
    signatures: null,
    engine: engineOf('asaas'),
  },
  cielo: {
    contract: contractOf('cielo'),
    requests: { by: 'samples of the manual', test: 'unit/gateways/cielo/charges.test.ts' },
    fake: { by: 'samples of the manual', test: 'gateways/vendors/cielo/shapes.test.ts' },
    recordedAnswers: null,
    signatures: null,
    engine: engineOf('cielo'),
  },
  pagarme: {
    contract: contractOf('pagarme'),
    requests: { by: 'SDK, both ways', test: 'unit/gateways/pagarme/request-shapes.test.ts' },
    fake: { by: 'models of the SDK, recorded answers', test: 'gateways/vendors/pagarme-shapes.test.ts' },
    recordedAnswers: {
      by: '17 recorded answers of its predecessor Mundipagg',
      test: 'unit/gateways/pagarme/recorded.test.ts',
    },
    signatures: {
      by: 'RSA keys of our own, in the form that Pagar.me’s plugin checks',
      test: 'unit/gateways/pagarme/callbacks.test.ts',
    },
    engine: engineOf('pagarme'),
  },
  mercadopago: {
    contract: contractOf('mercadopago'),
    requests: {
      by: 'types and requests of the SDK',
      test: 'unit/gateways/mercadopago/request-shapes.test.ts',
    },
    fake: { by: 'answers of the SDKs’ tests', test: 'gateways/vendors/mercadopago-shapes.test.ts' },
    recordedAnswers: {
      by: '22 recorded answers, 13 of the SDKs’ tests',
      test: 'unit/gateways/mercadopago/recorded.test.ts',
    },
    signatures: { by: 'SDK, both ways', test: 'unit/gateways/mercadopago/callbacks.test.ts' },
    engine: engineOf('mercadopago'),
  },
  'pix-bacen': {
    contract: contractOf('pix-bacen'),
    requests: { by: 'OpenAPI document, Prism', test: 'gateways/pix-bacen/messages.test.ts' },
    fake: { by: 'OpenAPI document, Prism', test: 'gateways/vendors/pix-bacen/shapes.test.ts' },
    recordedAnswers: null,
    signatures: null,
    engine: engineOf('pix-bacen'),
  },
  stripe: {
    contract: contractOf('stripe'),
    requests: {
      by: 'OpenAPI document, SDK, requests of another implementation',
      test: 'unit/gateways/stripe/request-shapes.test.ts',
    },
    fake: { by: 'OpenAPI document, SDK', test: 'gateways/vendors/stripe-shapes.test.ts' },
    recordedAnswers: { by: '29 recorded answers', test: 'unit/gateways/stripe/recorded.test.ts' },
    signatures: { by: 'SDK, both ways', test: 'unit/gateways/stripe/callbacks.test.ts' },
    engine: engineOf('stripe'),
  },
};
