import { NOT_SENT_LOCALLY } from '../../../src/gateways/errors';

/** SQL condition on `payments`: it has an abandoned attempt, about which its gateway is asked again for a day. */
export const IS_ASKED_AGAIN = `EXISTS (SELECT 1 FROM gateway_attempts a
  WHERE a.payment_id = payments.id AND a.status = 'abandoned'
    AND (a.error_family, a.response_code) IS DISTINCT FROM ('not_sent', '${NOT_SENT_LOCALLY}'))`;
