import type { SimulatorResponse } from '../../replies';
import type { AsaasObject } from './endpoint';
import { invalidBody } from './errors';
import { listQuery } from './parameters';

export interface AsaasPaging {
  readonly offset: number;
  /** At most 100: https://docs.asaas.com/reference/listar-cobrancas */
  readonly limit: number;
}

export function pagingOf(query: URLSearchParams): AsaasPaging | SimulatorResponse {
  const { limit, offset } = Object.fromEntries(query);
  const given = { ...(limit !== undefined && { limit }), ...(offset !== undefined && { offset }) };
  const parsed = listQuery.safeParse(given);
  return parsed.success ? parsed.data : invalidBody(parsed.error);
}

/** `PaymentListResponseDto` of the SDK. */
export function pageOf<T>(
  found: readonly T[],
  { offset, limit }: AsaasPaging,
): AsaasObject & { readonly data: readonly T[] } {
  return {
    object: 'list',
    hasMore: found.length > offset + limit,
    totalCount: found.length,
    limit,
    offset,
    data: found.slice(offset, offset + limit),
  };
}
