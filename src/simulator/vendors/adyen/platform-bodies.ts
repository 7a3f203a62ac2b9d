import { z } from 'zod';

/**
 * Bodies of requests: Adyen/adyen-openapi, LegalEntityService-v4 and BalancePlatformService-v2, with their required fields and lengths.
 * Objects that this fake does not read are not looked into.
 */
const text = z.string();
const anything = z.unknown().optional();

const address = z.strictObject({
  country: text.length(2),
  city: text.optional(),
  postalCode: text.optional(),
  stateOrProvince: text.optional(),
  street: text.optional(),
  street2: text.optional(),
});
const contact = {
  email: text.optional(),
  phone: z.strictObject({ number: text, type: text.optional() }).optional(),
  taxInformation: anything,
  webData: anything,
  support: anything,
};

const individual = z.strictObject({
  ...contact,
  name: z.strictObject({ firstName: text.min(1), lastName: text.min(1), infix: text.optional() }),
  residentialAddress: address,
  birthData: z.strictObject({ dateOfBirth: z.iso.date().optional() }).optional(),
  identificationData: z
    .strictObject({
      type: z.enum(['nationalIdNumber', 'passport', 'driversLicense', 'identityCard']),
      number: text.optional(),
      issuerCountry: text.length(2).optional(),
      expiryDate: text.optional(),
    })
    .optional(),
  nationality: text.length(2).optional(),
});

const organization = z.strictObject({
  ...contact,
  legalName: text.min(1),
  registeredAddress: address,
  registrationNumber: text.optional(),
  doingBusinessAs: text.optional(),
  description: text.optional(),
  principalPlaceOfBusiness: address.optional(),
  type: text.optional(),
});

/** `LegalEntityInfoRequiredType`. Trusts and partnerships are not simulated. */
export const legalEntityBody = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('individual'),
    individual,
    reference: text.max(150).optional(),
    capabilities: anything,
    verificationPlan: text.optional(),
  }),
  z.strictObject({
    type: z.literal('organization'),
    organization,
    reference: text.max(150).optional(),
    capabilities: anything,
    entityAssociations: anything,
    verificationPlan: text.optional(),
  }),
]);

/** `OnboardingLinkInfo` */
export const onboardingLinkBody = z.strictObject({
  locale: z
    .string()
    .regex(/^[a-z]{2}-[A-Z]{2}$/)
    .optional(),
  redirectUrl: z.url().optional(),
  settings: anything,
  themeId: text.optional(),
});

/** `AccountHolderInfo` */
export const accountHolderBody = z.strictObject({
  legalEntityId: text.min(1),
  balancePlatform: text.optional(),
  capabilities: z.record(text, z.looseObject({ requested: z.boolean().optional() })).default({}),
  contactDetails: anything,
  description: text.max(300).optional(),
  metadata: anything,
  reference: text.max(150).optional(),
  timeZone: text.optional(),
});
export type AccountHolderBody = z.output<typeof accountHolderBody>;

/** `BalanceAccountInfo` */
export const balanceAccountBody = z.strictObject({
  accountHolderId: text.min(1),
  defaultCurrencyCode: text.length(3).default('EUR'),
  description: text.max(300).optional(),
  metadata: anything,
  platformPaymentConfiguration: anything,
  reference: text.max(150).optional(),
  timeZone: text.optional(),
});
