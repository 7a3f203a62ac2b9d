export { payment } from './payment';
export { recipient } from './recipient';
