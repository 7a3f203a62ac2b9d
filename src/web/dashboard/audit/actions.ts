import type { Schema } from '../../api/client';

export type AuditAction = Schema<'AuditAction'>;

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
] as const satisfies readonly AuditAction[];
