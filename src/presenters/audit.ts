import type { AuditAction, AuditChanges, AuditSubject } from '../domain/companies/audit';
import type { Mode } from '../domain/shared/mode';
import type { components } from '../http/generated/openapi';

/** An entry of the audit log with its user's email. */
export interface PresentableAuditEntry {
  readonly id: number;
  readonly mode: Mode;
  /** Null if the change was made with the company's API key, or by the operator of the deployment. */
  readonly userId: number | null;
  readonly userEmail: string | null;
  readonly action: AuditAction;
  readonly subjectType: AuditSubject;
  readonly subjectId: string;
  readonly changes: AuditChanges;
  readonly requestId: string | null;
  readonly createdAt: Date;
}

export function presentAuditEntry(entry: PresentableAuditEntry): components['schemas']['AuditEntry'] {
  const { userId: id, userEmail: email } = entry;
  return {
    id: entry.id,
    at: entry.createdAt.toISOString(),
    user: id === null || email === null ? null : { id, email },
    mode: entry.mode,
    action: entry.action,
    subject: { type: entry.subjectType, id: entry.subjectId },
    changes: { ...entry.changes },
    request_id: entry.requestId,
  };
}
