import type { AuditActor } from '../../domain/companies/audit-actor';
import { ALL_DONE, areAllDone, type Onboarding } from '../../domain/companies/onboarding';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type { OnboardingRepository } from '../../persistence/companies/onboarding-repository';
import type { Database } from '../../persistence/sql/transaction';

export interface OnboardingsDeps {
  readonly db: Database;
  readonly onboardings: OnboardingRepository;
  readonly audit: AuditRepository;
  readonly now: () => Date;
}

/** The first steps of a company, from what has happened. */
export class Onboardings {
  constructor(private readonly deps: OnboardingsDeps) {}

  /** Records that all steps are done when it sees that first, because what shows it may be deleted later. */
  async get(companyId: number): Promise<Onboarding> {
    const { onboardings, now } = this.deps;
    const stored = await onboardings.find(companyId);
    const dismissed = stored.dismissedAt !== null;
    if (stored.completedAt !== null) return { facts: ALL_DONE, completed: true, dismissed };
    const facts = await onboardings.findFacts(companyId);
    const completed = areAllDone(facts);
    if (completed) await onboardings.complete(companyId, now());
    return { facts, completed, dismissed };
  }

  /** `clientId`: of the company. A repeated request changes nothing. */
  async setDismissed(actor: AuditActor, clientId: string, dismissed: boolean): Promise<Onboarding> {
    const { db, onboardings, audit, now } = this.deps;
    await db.inTransaction(async (tx) => {
      const isChanged = await onboardings.setDismissed(tx, actor.companyId, dismissed ? now() : null);
      if (!isChanged) return;
      await audit.insert(tx, {
        ...actor,
        action: 'onboarding.update',
        subjectType: 'onboarding',
        subjectId: clientId,
        changes: { dismissed: { from: !dismissed, to: dismissed } },
      });
    });
    return this.get(actor.companyId);
  }
}
