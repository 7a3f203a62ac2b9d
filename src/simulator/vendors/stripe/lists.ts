import type { StoredCharge } from '../../charge-store';
import type { SimulatorResponse } from '../../replies';
import { invalidRequest, missing } from './errors';
import { intentStatusOf } from './intent-object';
import type { CreatedRange, ListParams } from './parameters';
import { metadataOf } from './record';
import type { StripeObject } from './refund-object';

export function isCreatedIn(created: number, range: CreatedRange): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = range;
  return created > gt && created >= gte && created < lt && created <= lte;
}

/** One page of objects, which come newest first: https://docs.stripe.com/api/pagination */
export function pageOf(objects: readonly StripeObject[], params: ListParams, url: string): SimulatorResponse {
  const { starting_after: after, ending_before: before, limit } = params;
  const at = (id: string): number => objects.findIndex((object) => object.id === id);
  const unknown = [after, before].find((id) => id !== undefined && at(id) === -1);
  if (unknown !== undefined)
    return missing('object', unknown, after === unknown ? 'starting_after' : 'ending_before', 400);
  if (before !== undefined) {
    const newer = objects.slice(0, at(before));
    return list(newer.slice(-limit), newer.length > limit, url);
  }
  const rest = after === undefined ? objects : objects.slice(at(after) + 1);
  return list(rest.slice(0, limit), rest.length > limit, url);
}

function list(data: readonly StripeObject[], has_more: boolean, url: string): SimulatorResponse {
  return { status: 200, body: { object: 'list', data, has_more, url } };
}

type Matcher = (charge: StoredCharge) => boolean;

const CLAUSE = /^(?:metadata\[(['"])([^'"]+)\1\]|(status|currency)):(['"])(.*)\4$/;

/**
 * The test of a search query: clauses joined by AND, each `metadata['key']:'value'`, `status:'..'` or `currency:'..'`. Null if
 * it is another one. https://docs.stripe.com/search#search-query-language
 */
export function searchMatcher(query: string): Matcher | null {
  const clauses = query.split(/\s+AND\s+/i).map((text) => matcherOf(text.trim()));
  return clauses.includes(null) ? null : (charge) => clauses.every((matches) => matches?.(charge));
}

function matcherOf(text: string): Matcher | null {
  const [, , key, field, , wanted = ''] = CLAUSE.exec(text) ?? [];
  if (key !== undefined) return (charge) => metadataOf(charge)[key] === wanted;
  if (field === 'status') return (charge) => intentStatusOf(charge) === wanted;
  return field === 'currency' ? (charge) => charge.currency.toLowerCase() === wanted : null;
}

/** The reference that a query looks for; null if it is not about metadata. */
export function referenceInQuery(query: unknown): string | null {
  if (typeof query !== 'string') return null;
  const clauses = query.split(/\s+AND\s+/i).map((text) => CLAUSE.exec(text.trim()));
  return clauses.find((clause) => clause?.[2] !== undefined)?.[5] ?? null;
}

export function searchPage(
  objects: readonly StripeObject[],
  { limit, page = '0' }: { limit: number; page?: string | undefined },
): SimulatorResponse {
  const start = Number(page);
  if (!Number.isSafeInteger(start)) return invalidRequest('Invalid page.', { param: 'page' });
  const end = start + limit;
  const has_more = objects.length > end;
  const body = {
    object: 'search_result',
    data: objects.slice(start, end),
    has_more,
    next_page: has_more ? String(end) : null,
    url: '/v1/payment_intents/search',
  };
  return { status: 200, body };
}
