export { dispute } from './disputes/dispute';
export { payment } from './payments/payment';
export { recipient } from './recipients/recipient';
export { settlement } from './settlement/settlement';
export { subscription } from './subscriptions/subscription';
export { webhookDelivery } from './webhooks/webhook-delivery';
