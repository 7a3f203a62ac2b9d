import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { unwrapBody, api, type Schema } from '../../api/client';

export type Coupon = Schema<'Coupon'>;

const PER_PAGE = 25;

export const couponsQuery = (page: number) =>
  queryOptions({
    queryKey: ['coupons', page],
    queryFn: () => unwrapBody(api.GET('/user/coupons', { params: { query: { page, per_page: PER_PAGE } } })),
    placeholderData: keepPreviousData,
  });
