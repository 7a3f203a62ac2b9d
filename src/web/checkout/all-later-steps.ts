export { PayForm } from './pay/pay-form';
export { Done } from './result/done';
export { PixPayment } from './result/pix';
