import type { CheckoutCaller } from '../../domain/checkout/checkout-session';
import type { AuthenticatedCompany } from '../../domain/companies/company';
import type { Language } from '../../domain/users/language';
import type { SessionOrigin } from '../../domain/users/user-session';
import type { SignedIn } from '../../domain/companies/user';
import type { operations } from '../generated/openapi';
import type { RawBody } from './request-context';
import type { StreamedBody } from './send-stream';

/** The `operationId` of every route in openapi.yaml. */
export type RouteId = keyof operations;

/** Routes without authentication (`security: []` in the contract; a test compares both lists). */
export const PUBLIC_ROUTES = [
  'registerUser',
  'logIn',
  'forgotPassword',
  'resetPassword',
  'acceptInvitation',
  'registerCompany',
  'receiveCallback',
  'receivePixCallback',
  'receiveConsent',
  'getPublicPaymentLink',
  'createLinkSession',
  'receiveWebhook',
] as const satisfies readonly RouteId[];
type PublicRouteId = (typeof PUBLIC_ROUTES)[number];

/** Routes that take an access token (`AccessToken` in the contract; a test compares both lists). */
export const JWT_ROUTES = [
  'logOut',
  'getMe',
  'updateMe',
  'sendVerificationEmail',
  'verifyEmail',
  'getDashboard',
  'getSystemStatus',
  'listUserPayments',
  'getUserPayment',
  'captureUserPayment',
  'cancelUserPayment',
  'refundUserPayment',
  'resolvePayment',
  'search',
  'listUserCustomers',
  'getUserCustomer',
  'listPaymentNotes',
  'addPaymentNote',
  'listCustomerNotes',
  'addCustomerNote',
  'inquirePayment',
  'simulateRouting',
  'getRoutingTraffic',
  'listGateways',
  'listUnrecognized',
  'updateGateway',
  'saveUserGateway',
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
  'listLedgerEntries',
  'listLedgerBalances',
  'listDisputes',
  'getDispute',
  'acceptDispute',
  'submitDispute',
  'releaseCard',
  'listEvidence',
  'addEvidence',
  'deleteEvidence',
  'listSettlements',
  'getSettlement',
  'importStatement',
  'listSettlementItems',
  'getSettlementItem',
  'settleSettlementItem',
  'getMonthlyReport',
  'getRecurringRevenue',
  'downloadMonthlyReport',
  'getCompanyConfig',
  'updateCompanyConfig',
  'listMembers',
  'inviteMember',
  'updateMember',
  'removeMember',
  'listInvitations',
  'resendInvitation',
  'revokeInvitation',
  'listMySessions',
  'revokeMySession',
  'listMemberSessions',
  'revokeMemberSession',
  'getTwoFactor',
  'startTwoFactor',
  'confirmTwoFactor',
  'disableTwoFactor',
  'renewRecoveryCodes',
  'resetTwoFactor',
  'getCompanySecurity',
  'updateCompanySecurity',
  'listApiKeys',
  'createApiKey',
  'revokeApiKey',
  'getOnboarding',
  'updateOnboarding',
  'createTestPayment',
  'getWebhookReceiver',
  'createWebhookReceiver',
  'createWebhookEndpoint',
  'listWebhookEndpoints',
  'updateWebhookEndpoint',
  'deleteWebhookEndpoint',
  'rotateWebhookSecret',
  'testWebhookEndpoint',
  'listWebhookDeliveries',
  'resendWebhookDelivery',
  'resendFailedDeliveries',
  'exportUserPayments',
  'exportUserRefunds',
  'exportUserSplits',
  'exportUserSubscriptions',
  'exportUserEvents',
] as const satisfies readonly RouteId[];
type JwtRouteId = (typeof JWT_ROUTES)[number];

/** Routes that take a checkout session's token (`CheckoutToken` in the contract; a test compares both lists). */
export const CHECKOUT_ROUTES = ['getCheckoutSession', 'payCheckout'] as const satisfies readonly RouteId[];
type CheckoutRouteId = (typeof CHECKOUT_ROUTES)[number];

/** Query parameters that always have a value because the contract gives them a default. */
type Defaulted = 'page' | 'per_page';

type Present<T> = [NonNullable<T>] extends [never] ? Readonly<Record<never, never>> : NonNullable<T>;
type WithDefaults<Query> = Query & Required<Pick<Query, Extract<keyof Query, Defaulted>>>;

type Params<Id extends RouteId> = Present<operations[Id]['parameters']['path']>;
type Query<Id extends RouteId> = WithDefaults<Present<operations[Id]['parameters']['query']>>;
/** Header names are in lower case, as in Node. */
type Headers<Given> = { readonly [Name in keyof Given as Lowercase<string & Name>]: Given[Name] };
type RequestBody<Id extends RouteId> = Exclude<operations[Id]['requestBody'], undefined>;
/** A missing optional body is `{}`. */
type Body<Id extends RouteId> = Id extends 'importStatement'
  ? AsyncIterable<Buffer>
  : [RequestBody<Id>] extends [never]
    ? undefined
    : RequestBody<Id> extends { content: { 'application/json': infer Content } }
      ? Content
      : RawBody;

/** The authenticated caller: nobody, a user with its company, a buyer in a checkout session, or a company. */
type Caller<Id extends RouteId> = Id extends PublicRouteId
  ? unknown
  : Id extends JwtRouteId
    ? SignedIn
    : Id extends CheckoutRouteId
      ? { readonly checkout: CheckoutCaller }
      : { readonly company: AuthenticatedCompany };

/** A request that passed authentication, the rate limit and the contract's validation. */
export type RouteRequest<Id extends RouteId> = {
  readonly params: Params<Id>;
  readonly query: Query<Id>;
  readonly headers: Headers<Present<operations[Id]['parameters']['header']>>;
  /** Contains the contract's defaults. May contain properties that the contract does not define; they have no meaning. */
  readonly body: Body<Id>;
  /** The `Idempotency-Key` header, for a user scoped to the user; null if it is absent or the route takes none. */
  readonly idempotencyKey: string | null;
  /** Below the API's base path, with the values of its parameters. */
  readonly path: string;
  readonly requestId: string;
  readonly receivedAt: Date;
  /** The id of the API key of the request; null without one. */
  readonly apiKeyId: number | null;
  /** The client's network address: an IPv4 address or an IPv6 network, as rate limits count them. */
  readonly address: string;
  /** The client's IP address. Personal data: it is in no log. */
  readonly ip: string | null;
  /** The client's preferred language, of those that there are texts in. */
  readonly language: Language;
  /** What a session keeps of the client. */
  readonly origin: SessionOrigin;
} & Caller<Id>;

export interface RouteResponse {
  readonly status: number;
  /** Sent as JSON; undefined means no body. */
  readonly body?: unknown;
  /** Sent in place of the body to a client that prefers a page. */
  readonly page?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Sent in place of the body. */
  readonly stream?: StreamedBody;
}

/** Handles one route. Errors are thrown as `ApiError`. */
export type RouteHandler<Id extends RouteId> = (request: RouteRequest<Id>) => Promise<RouteResponse>;

/** One handler for every route of the contract: a missing handler does not compile. */
export type RouteHandlers = { readonly [Id in RouteId]: RouteHandler<Id> };
