import type { CheckoutCaller } from '../../domain/checkout/checkout-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { SignedIn } from '../../domain/companies/user';
import type { operations } from '../generated/openapi';
import type { RawBody } from './request-context';

/** Every operation of openapi.yaml, by its `operationId`. */
export type OperationId = keyof operations;

/** Operations that need no key pair (`security: []` in the contract, which a test compares with this list). */
export const PUBLIC_OPERATIONS = [
  'registerUser',
  'logIn',
  'forgotPassword',
  'resetPassword',
  'registerCompany',
  'receiveCallback',
  'getPublicPaymentLink',
  'createLinkSession',
] as const satisfies readonly OperationId[];
type PublicOperationId = (typeof PUBLIC_OPERATIONS)[number];

/** Operations by access token (`AccessToken` in the contract, which a test compares with this list). */
export const JWT_OPERATIONS = [
  'logOut',
  'getMe',
  'getDashboard',
  'listUserPayments',
  'getUserPayment',
  'captureUserPayment',
  'cancelUserPayment',
  'refundUserPayment',
  'resolvePayment',
  'listGateways',
  'updateGateway',
  'createUserPlan',
  'listUserPlans',
  'getUserPlan',
  'updateUserPlan',
  'deleteUserPlan',
  'createUserCoupon',
  'listUserCoupons',
  'getUserCoupon',
  'updateUserCoupon',
  'deleteUserCoupon',
  'createUserPaymentLink',
  'listUserPaymentLinks',
  'getUserPaymentLink',
  'updateUserPaymentLink',
  'deleteUserPaymentLink',
  'listUserSubscriptions',
  'getUserSubscription',
  'listUserUpcomingCharges',
  'pauseUserSubscription',
  'resumeUserSubscription',
  'cancelUserSubscription',
  'uncancelUserSubscription',
  'retryUserSubscription',
  'listAuditLog',
  'getCompanyConfig',
  'updateCompanyConfig',
  'createWebhookEndpoint',
  'listWebhookEndpoints',
  'updateWebhookEndpoint',
  'deleteWebhookEndpoint',
  'rotateWebhookSecret',
  'testWebhookEndpoint',
  'listWebhookDeliveries',
  'resendWebhookDelivery',
] as const satisfies readonly OperationId[];
type JwtOperationId = (typeof JWT_OPERATIONS)[number];

/** Operations by a checkout session's token (`CheckoutToken` in the contract, which a test compares with this list). */
export const CHECKOUT_OPERATIONS = [
  'getCheckoutSession',
  'payCheckout',
] as const satisfies readonly OperationId[];
type CheckoutOperationId = (typeof CHECKOUT_OPERATIONS)[number];

/** Query parameters that always have a value, because the contract gives them a default. */
type Defaulted = 'page' | 'per_page';

type Present<T> = [NonNullable<T>] extends [never] ? Readonly<Record<never, never>> : NonNullable<T>;
type WithDefaults<Query> = Query & Required<Pick<Query, Extract<keyof Query, Defaulted>>>;

type Params<Id extends OperationId> = Present<operations[Id]['parameters']['path']>;
type Query<Id extends OperationId> = WithDefaults<Present<operations[Id]['parameters']['query']>>;
/** By their names in lower case, as Node has them. */
type Headers<Given> = { readonly [Name in keyof Given as Lowercase<string & Name>]: Given[Name] };
type RequestBody<Id extends OperationId> = Exclude<operations[Id]['requestBody'], undefined>;
/** One that may be left out is `{}` then. */
type Body<Id extends OperationId> = [RequestBody<Id>] extends [never]
  ? undefined
  : RequestBody<Id> extends { content: { 'application/json': infer Content } }
    ? Content
    : RawBody;

/** Who asks: nobody in particular, a user for its company, a buyer in a session, or a company. */
type Caller<Id extends OperationId> = Id extends PublicOperationId
  ? unknown
  : Id extends JwtOperationId
    ? SignedIn
    : Id extends CheckoutOperationId
      ? { readonly checkout: CheckoutCaller }
      : { readonly company: AuthenticatedCompany };

/** A request that has passed the contract, the rate limit and, unless the operation is public, the check of who asks. */
export type OperationRequest<Id extends OperationId> = {
  readonly params: Params<Id>;
  readonly query: Query<Id>;
  readonly headers: Headers<Present<operations[Id]['parameters']['header']>>;
  /** Defaults of the contract are filled in. Properties it does not have may be there and mean nothing. */
  readonly body: Body<Id>;
  /** The `Idempotency-Key` header; null where it is absent or the operation takes none. */
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  readonly receivedAt: Date;
} & Caller<Id>;

export interface OperationResponse {
  readonly status: number;
  /** What is sent as JSON; without one the answer has no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Carries out one operation. What is not a success it throws as an `ApiError`. */
export type OperationHandler<Id extends OperationId> = (
  request: OperationRequest<Id>,
) => Promise<OperationResponse>;

/** One handler for every operation of the contract: a missing one does not compile. */
export type OperationHandlers = { readonly [Id in OperationId]: OperationHandler<Id> };
