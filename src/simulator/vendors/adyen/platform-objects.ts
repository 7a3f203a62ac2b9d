import type { z } from 'zod';
import type { StoredRecipient } from '../../recipients';
import type { SimulatorResponse } from '../../replies';
import type { AdyenObject } from './endpoint';
import { balanceAccountIdOf } from './ids';

const DEFAULT_PAGE = 10;
const MAX_PAGE = 100;

/** `BalanceAccount` */
export function accountObject({ id, reference, wireData }: StoredRecipient): AdyenObject {
  const currency = wireData?.currency ?? 'EUR';
  return {
    id: balanceAccountIdOf(id),
    accountHolderId: wireData?.holderId ?? '',
    ...(reference !== '' && { reference }),
    defaultCurrencyCode: currency,
    balances: [{ available: 0, balance: 0, currency, reserved: 0 }],
    status: 'active',
  };
}

/** "By default, 10 items; maximum 100": the parameters `offset` and `limit` of the lists. */
export function pageOf<T>(all: readonly T[], query: URLSearchParams) {
  const offset = Number(query.get('offset') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? DEFAULT_PAGE), MAX_PAGE);
  const end = offset + limit;
  return { items: all.slice(offset, end), hasNext: end < all.length, hasPrevious: offset > 0 };
}

/** `RestServiceError`; the Legal Entity Management API's `ServiceError` has its `errorCode` and `status`, too. */
export function failure(
  status: number,
  errorCode: string,
  invalidFields: readonly object[] = [],
): SimulatorResponse {
  const type = 'https://docs.adyen.com/errors/general';
  const title = 'The request failed';
  const error = { type, title, detail: title, status, errorCode };
  return { status, body: invalidFields.length === 0 ? error : { ...error, invalidFields } };
}

/** The code of a wrong field is not documented; `30_031` is the API's example. */
export function invalid({ issues }: z.ZodError): SimulatorResponse {
  const fields = issues.map(({ path, message }) => ({ name: path.join('.'), value: '', message }));
  return failure(422, '30_031', fields);
}

export const unknown = (field: string): SimulatorResponse =>
  failure(422, '30_031', [{ name: field, value: '', message: 'is unknown' }]);
