import type { operations } from '../../../src/http/generated/openapi';
import type { OperationId } from '../../../src/http/server/operation';
import { contract } from './contract';
import { bodyFaults } from './contract-schemas';

type Responses<Id extends OperationId> = operations[Id]['responses'];
type BodyOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** One of the answers the contract gives an operation; its `status` tells which. */
export type Answer<Id extends OperationId> = Id extends OperationId
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
  /** Not typed: tests also send what the contract forbids. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export type ApiClient = <Id extends OperationId>(id: Id, options?: RequestOptions) => Promise<Answer<Id>>;

/** Calls operations by name, and throws when an answer is not what openapi.yaml says of it. */
export function apiClient(baseUrl: string, keys: Readonly<Record<string, string>> = {}): ApiClient {
  return async <Id extends OperationId>(id: Id, options: RequestOptions = {}) => {
    const operation = contract.operations.find((candidate) => candidate.id === id);
    if (operation === undefined) throw new Error(`openapi.yaml has no ${id}`);
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = options.params?.[name];
      if (value === undefined) throw new Error(`${id} needs the parameter ${name}`);
      return encodeURIComponent(value);
    });
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(options.query ?? {})) query.set(name, String(value));
    const response = await fetch(`${baseUrl}${contract.basePath}${path}?${query.toString()}`, {
      method: operation.method.toUpperCase(),
      headers: {
        ...keys,
        ...(options.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    const text = await response.text();
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const answer = { status: response.status, body, headers: response.headers };
    const faults = [
      ...(response.headers.has('x-request-id') ? [] : ['no X-Request-Id']),
      ...bodyFaults(operation, response.status, body),
    ];
    if (faults.length > 0) {
      throw new Error(
        `${id} answered ${response.status} against its contract: ${faults.join('; ')}\n${text}`,
      );
    }
    return answer as unknown as Answer<Id>;
  };
}

/** Narrows an answer to the one with this status, or fails with what came instead. */
export function expectStatus<
  A extends { readonly status: number; readonly body: unknown },
  S extends A['status'],
>(answer: A, status: S): Extract<A, { readonly status: S }> {
  if (answer.status !== status) {
    throw new Error(`expected ${status}, got ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer as Extract<A, { readonly status: S }>;
}
