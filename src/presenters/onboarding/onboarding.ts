import { ONBOARDING_STEPS, type Onboarding } from '../../domain/companies/onboarding';
import type { components } from '../../http/generated/openapi';

export function presentOnboarding({
  facts,
  completed,
  dismissed,
}: Onboarding): components['schemas']['Onboarding'] {
  return { completed, dismissed, steps: ONBOARDING_STEPS.map((step) => ({ step, done: facts[step] })) };
}
