import type { operations } from '../../../src/http/generated/openapi';
import type { RouteId } from '../../../src/http/server/route';
import { contract } from './contract';
import { bodyErrors } from './contract-schemas';

type Responses<Id extends RouteId> = operations[Id]['responses'];
type BodyOf<Response> = Response extends {
  content: { 'application/json': infer Body } | { 'text/csv': infer Body };
}
  ? Body
  : undefined;

/** A union of the route’s responses in the contract, discriminated by `status`. */
export type RouteAnswer<Id extends RouteId> = Id extends RouteId
  ? {
      [Status in keyof Responses<Id>]: {
        readonly status: Status;
        readonly body: BodyOf<Responses<Id>[Status]>;
        readonly headers: Headers;
      };
    }[keyof Responses<Id>]
  : never;

export interface RequestOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** Not typed, because tests also send invalid bodies. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type ApiClient = <Id extends RouteId>(id: Id, options?: RequestOptions) => Promise<RouteAnswer<Id>>;

/** A client that calls routes by id and throws if a response violates openapi.yaml. */
export function apiClient(baseUrl: string, keys: Readonly<Record<string, string>> = {}): ApiClient {
  return async <Id extends RouteId>(id: Id, options: RequestOptions = {}) => {
    const route = contract.routes.find((candidate) => candidate.id === id);
    if (route === undefined) throw new Error(`openapi.yaml has no ${id}`);
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = options.params?.[name];
      if (value === undefined) throw new Error(`${id} needs the parameter ${name}`);
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {})) query.set(name, String(value));
    const response = await fetch(`${baseUrl}${contract.basePath}${path}?${query.toString()}`, {
      method: route.method.toUpperCase(),
      headers: {
        ...keys,
        ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const text = await response.text();
    const isCsv = response.headers.get('content-type') === 'text/csv; charset=utf-8';
    const body: unknown = isCsv ? text : text === '' ? undefined : JSON.parse(text);
    const answer = { status: response.status, body, headers: response.headers };
    const errors = [
      ...(response.headers.has('x-request-id') ? [] : ['no X-Request-Id']),
      ...bodyErrors(route, response.status, body),
    ];
    if (errors.length > 0) {
      throw new Error(
        `${id} violated its contract with status ${response.status}: ${errors.join('; ')}\n${text}`,
      );
    }
    return answer as unknown as RouteAnswer<Id>;
  };
}

/** Narrows a response to the one with this status, or throws with the actual response. */
export function expectStatus<
  A extends { readonly status: number; readonly body: unknown },
  S extends A['status'],
>(answer: A, status: S): Extract<A, { readonly status: S }> {
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer as Extract<A, { readonly status: S }>;
}
