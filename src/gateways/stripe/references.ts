/** Where our references are in Stripe's metadata. */
export const REFERENCE_KEY = 'reference';
/** On a PaymentIntent: our reference of its capture. */
export const CAPTURE_KEY = 'capture_reference';
