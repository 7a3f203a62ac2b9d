import type { AuthenticatedCompany } from '../domain/company';
import type { operations } from './generated/openapi';

/** Every operation of openapi.yaml, by its `operationId`. */
export type OperationId = keyof operations;

/** Operations that need no key pair (`security: []` in the contract, which a test compares with this list). */
export const PUBLIC_OPERATIONS = ['registerCompany'] as const satisfies readonly OperationId[];
export type PublicOperationId = (typeof PUBLIC_OPERATIONS)[number];

/** Query parameters that always have a value, because the contract gives them a default. */
type Defaulted = 'page' | 'per_page';

type Present<T> = [NonNullable<T>] extends [never] ? Readonly<Record<never, never>> : NonNullable<T>;
type WithDefaults<Query> = Query & Required<Pick<Query, Extract<keyof Query, Defaulted>>>;

type Params<Id extends OperationId> = Present<operations[Id]['parameters']['path']>;
type Query<Id extends OperationId> = WithDefaults<Present<operations[Id]['parameters']['query']>>;
type Body<Id extends OperationId> = operations[Id] extends {
  requestBody: { content: { 'application/json': infer Content } };
}
  ? Content
  : undefined;

/** A request that has passed the contract, the rate limit and, unless the operation is public, the key check. */
export type OperationRequest<Id extends OperationId> = {
  readonly params: Params<Id>;
  readonly query: Query<Id>;
  /** Defaults of the contract are filled in. Properties it does not have may be there and mean nothing. */
  readonly body: Body<Id>;
  /** The `Idempotency-Key` header; null where it is absent or the operation takes none. */
  readonly idempotencyKey: string | null;
  readonly requestId: string;
  readonly receivedAt: Date;
} & (Id extends PublicOperationId ? unknown : { readonly company: AuthenticatedCompany });

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
