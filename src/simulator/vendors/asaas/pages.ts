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
export function pageOf(objects: readonly AsaasObject[], { offset, limit }: AsaasPaging): AsaasObject {
  return {
    object: 'list',
    hasMore: objects.length > offset + limit,
    totalCount: objects.length,
    limit,
    offset,
    data: objects.slice(offset, offset + limit),
  };
}
