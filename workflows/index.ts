export { payment } from './payment';
export { recipient } from './recipient';
export { webhookDelivery } from './webhook-delivery';
