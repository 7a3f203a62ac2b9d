/** What a person can do that the audit log keeps (decisions, section 11). */
export const AUDIT_ACTIONS = [
  'config.update',
  'gateway.update',
  'webhook_endpoint.create',
  'webhook_endpoint.update',
  'webhook_endpoint.delete',
  'webhook_endpoint.rotate_secret',
  'webhook_endpoint.test',
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
  'payment.resolve',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What it is done to. The config is named by the company's client_id, a gateway by its slug, everything else by its id. */
export const AUDIT_SUBJECTS = [
  'config',
  'gateway',
  'webhook_endpoint',
  'webhook_delivery',
  'plan',
  'coupon',
  'payment_link',
  'subscription',
  'payment',
] as const;
export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];

/** Facts by the API's names. Never a secret: of one it is only told that it changed. */
export type AuditChanges = Readonly<Record<string, unknown>>;

/** What stands for a secret that was set, changed or taken away. */
export const SECRET_CHANGED = 'changed';

/** Each field that differs, as `{from, to}`. Values are compared as JSON: order counts in lists. */
export function changesBetween(before: AuditChanges, after: AuditChanges): AuditChanges {
  const fields = Object.keys(after).filter(
    (field) => JSON.stringify(before[field] ?? null) !== JSON.stringify(after[field] ?? null),
  );
  return Object.fromEntries(
    fields.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
  );
}
