/** The first steps of a company, in the order to make them. */
export const ONBOARDING_STEPS = ['connect_gateway', 'make_payment', 'receive_webhook', 'share_link'] as const;
type OnboardingStep = (typeof ONBOARDING_STEPS)[number];

/** Which of them the company has made. */
export type OnboardingFacts = Readonly<Record<OnboardingStep, boolean>>;

export const ALL_DONE: OnboardingFacts = {
  connect_gateway: true,
  make_payment: true,
  receive_webhook: true,
  share_link: true,
};

export interface Onboarding {
  readonly facts: OnboardingFacts;
  /** Whether all steps were done at a time. */
  readonly completed: boolean;
  readonly dismissed: boolean;
}

export function areAllDone(facts: OnboardingFacts): boolean {
  return ONBOARDING_STEPS.every((step) => facts[step]);
}
