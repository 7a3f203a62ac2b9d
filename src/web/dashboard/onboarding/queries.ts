import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, unwrapBody, type Schema } from '../../api/client';
import { newIdempotencyKey } from '../../api/idempotency-keys';
import { RequestError } from '../../api/request-error';
import { BROWSING, IN_PROGRESS, liveInterval, SETTLED } from '../shared/live';

export type Onboarding = Schema<'Onboarding'>;
export type Step = Schema<'OnboardingStep'>['step'];

/** Steps are ticked off by what happens elsewhere too, so an open list refreshes often. */
export const onboardingQuery = queryOptions({
  queryKey: ['onboarding'],
  queryFn: async () => (await unwrapBody(api.GET('/user/onboarding'))).data,
  refetchInterval: liveInterval(({ completed, dismissed, steps }) => {
    if (completed || dismissed) return SETTLED;
    return steps.some(({ done }) => done) ? IN_PROGRESS : BROWSING;
  }),
});

export function useDismiss() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await unwrapBody(api.PATCH('/user/onboarding', { body: { dismissed: true } }))).data,
    onSuccess: (onboarding) => queryClient.setQueryData(onboardingQuery.queryKey, onboarding),
  });
}

const STORED_KEY = 'test-payment-key';

/**
 * Makes a test payment. All tabs of the browser share the idempotency key of the payment that is under way, so clicks in two
 * tabs make one payment. A result ends it; after a lost answer the same key is sent again.
 */
export function useTestPayment() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const params = { header: { 'Idempotency-Key': pendingKey() } };
      return unwrapBody(api.POST('/user/onboarding/test-payment', { params }));
    },
    onSuccess: (payment) => {
      if (payment.status !== 'processing') localStorage.removeItem(STORED_KEY);
    },
    onError: (error) => {
      if (!(error instanceof RequestError) || !error.isOutcomeUnknown) localStorage.removeItem(STORED_KEY);
    },
    onSettled: () =>
      Promise.all(
        [['onboarding'], ['payments'], ['dashboard']].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

function pendingKey(): string {
  const key = localStorage.getItem(STORED_KEY) ?? newIdempotencyKey();
  localStorage.setItem(STORED_KEY, key);
  return key;
}
