import { payerContact } from '../../../src/application/payments/payment-needs';
import type { CheckoutClaim } from '../../../src/application/checkout/checkout-claim';

const contact = { customer: { phone: '11912345678', address: null }, billingAddress: null };

it('a stored phone counts where the company named the customer, and not for a buyer who entered the document', () => {
  const at = (isPublic: boolean) => payerContact(contact, { isPublic } as CheckoutClaim);
  expect(payerContact(contact, undefined)).toEqual(contact);
  expect(at(false)).toEqual(contact);
  expect(at(true)).toEqual({ ...contact, customer: { phone: null, address: null } });
});
