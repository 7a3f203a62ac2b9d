import { makeTestPayment, type MakeTestPaymentDeps } from '../../../application/onboarding/make-test-payment';
import type { Onboardings } from '../../../application/onboarding/onboardings';
import { auditActorOf } from '../../../domain/companies/audit-actor';
import { presentOnboarding } from '../../../presenters/onboarding/onboarding';
import type { RouteHandlers } from '../../server/route';
import { presentAnswer } from '../payment-answer';

export interface OnboardingRouteDeps extends MakeTestPaymentDeps {
  readonly onboardings: Onboardings;
}

/** The first steps of a company. */
export function onboardingRoutes(
  deps: OnboardingRouteDeps,
): Pick<RouteHandlers, 'getOnboarding' | 'updateOnboarding' | 'createTestPayment'> {
  return {
    getOnboarding: async ({ company }) => ({
      status: 200,
      body: { data: presentOnboarding(await deps.onboardings.get(company.id)) },
    }),

    updateOnboarding: async (request) => {
      const { company, body } = request;
      const changed = await deps.onboardings.setDismissed(
        auditActorOf(request),
        company.clientId,
        body.dismissed,
      );
      return { status: 200, body: { data: presentOnboarding(changed) } };
    },

    createTestPayment: async (request) => {
      const { company, path, idempotencyKey, receivedAt } = request;
      const command = { company, path, idempotencyKey, receivedAt };
      return presentAnswer(await makeTestPayment(deps, auditActorOf(request), command));
    },
  };
}
