import { queryOptions } from '@tanstack/react-query';
import { unwrapBody, api } from '../../api/client';
import { IN_PROGRESS, liveInterval } from '../shared/live';

export const systemStatusQuery = queryOptions({
  queryKey: ['system-status'],
  queryFn: async () => (await unwrapBody(api.GET('/user/system-status'))).data,
  refetchInterval: liveInterval(() => IN_PROGRESS),
});
