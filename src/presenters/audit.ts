import type { AuditAction, AuditChanges, AuditSubject } from '../domain/companies/audit';
import type { components } from '../http/generated/openapi';

/** An entry of the audit log with its user's email. */
export interface PresentableAuditEntry {
  readonly id: number;
  readonly userId: number;
  readonly userEmail: string;
  readonly action: AuditAction;
  readonly subjectType: AuditSubject;
  readonly subjectId: string;
  readonly changes: AuditChanges;
  readonly requestId: string | null;
  readonly createdAt: Date;
}

export function presentAuditEntry(entry: PresentableAuditEntry): components['schemas']['AuditEntry'] {
  return {
    id: entry.id,
    at: entry.createdAt.toISOString(),
    user: { id: entry.userId, email: entry.userEmail },
    action: entry.action,
    subject: { type: entry.subjectType, id: entry.subjectId },
    changes: { ...entry.changes },
    request_id: entry.requestId,
  };
}
