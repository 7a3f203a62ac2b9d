import type { DisputeId } from '../shared/ids';
import { announcementOf, awaitsCompany, type Dispute, type DisputeKind } from './dispute';

/** The mails about a dispute to a company's owners and admins: it was opened, or its evidence is due soon. */
export type DisputeMail = 'opened' | 'evidence_due';

/** A mail that is not sent yet, with what it says. */
export interface DueDisputeMail {
  readonly id: DisputeId;
  readonly companyId: number;
  readonly transactionId: string;
  readonly kind: DisputeKind;
  readonly amountCents: number;
  readonly currency: string;
  readonly reasonCode: string | null;
  readonly evidenceDueAt: Date | null;
  readonly mail: DisputeMail;
}

/** The mail that is due after a transition: none once the dispute does not wait for the company any more. */
export function mailDueAfter(
  before: (Dispute & { readonly mailDue: DisputeMail | null }) | null,
  after: Dispute,
): DisputeMail | null {
  if (!awaitsCompany(after)) return null;
  return announcementOf(before, after) === 'opened' ? 'opened' : (before?.mailDue ?? null);
}
