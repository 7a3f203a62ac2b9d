/** Actions in the audit log (docs/decisions/companies-and-users.md). */
export const AUDIT_ACTIONS = [
  'config.update',
  'gateway.create',
  'gateway.update',
  'api_key.create',
  'api_key.revoke',
  'member.invite',
  'member.resend_invitation',
  'member.revoke_invitation',
  'member.join',
  'member.change_role',
  'member.remove',
  'member.update_profile',
  'session.revoke',
  'two_factor.enable',
  'two_factor.disable',
  'two_factor.renew_recovery_codes',
  'two_factor.reset',
  'security.update',
  'webhook_endpoint.create',
  'webhook_endpoint.update',
  'webhook_endpoint.delete',
  'webhook_endpoint.rotate_secret',
  'webhook_endpoint.test',
  'webhook_endpoint.resend_failed',
  'webhook_delivery.resend',
  'plan.create',
  'plan.update',
  'plan.delete',
  'coupon.create',
  'coupon.update',
  'coupon.delete',
  'payment_link.create',
  'payment_link.update',
  'payment_link.delete',
  'subscription.pause',
  'subscription.resume',
  'subscription.cancel',
  'subscription.uncancel',
  'subscription.change_plan',
  'subscription.change_card',
  'subscription.retry',
  'payment.capture',
  'payment.cancel',
  'payment.refund',
  'payment.inquire',
  'payment.resolve',
  'payment.add_note',
  'customer.add_note',
  'dispute.accept',
  'dispute.submit',
  'dispute.release_card',
  'dispute.add_evidence',
  'dispute.delete_evidence',
  'settlement.import',
  'settlement_item.settle',
  'payment.create_test',
  'onboarding.update',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** The kinds of audited subjects. The config and the onboarding are identified by the company's client_id, a gateway by its slug, others by their id. */
export const AUDIT_SUBJECTS = [
  'config',
  'gateway',
  'api_key',
  'member',
  'invitation',
  'webhook_endpoint',
  'webhook_delivery',
  'plan',
  'coupon',
  'payment_link',
  'subscription',
  'payment',
  'customer',
  'dispute',
  'settlement',
  'settlement_item',
  'onboarding',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** A user as the subject of an entry. */
export function memberSubject(userId: number) {
  return { subjectType: 'member', subjectId: String(userId) } as const;
}

/** Changes by API field name. For a secret it only records that it changed. */
export type AuditChanges = Readonly<Record<string, unknown>>;

/** Replaces the value of a secret that was set, changed or removed. */
export const SECRET_CHANGED = 'changed';

/** The fields that differ, as `{from, to}`. Values are compared as JSON, so the order of lists matters. */
export function changesBetween(before: AuditChanges, after: AuditChanges): AuditChanges {
  const fields = Object.keys(after).filter(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  );
  return Object.fromEntries(
    fields.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
  );
}
