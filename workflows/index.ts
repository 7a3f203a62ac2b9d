export { payment } from './payment';
export { recipient } from './recipient';
export { subscription } from './subscription';
export { webhookDelivery } from './webhook-delivery';
