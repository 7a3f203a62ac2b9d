/**
 * The error families of a gateway call.
 *
 * | family | when | may another gateway be tried? |
 * |---|---|---|
 * | not_sent | no request byte was sent: DNS, connection refused, TLS or connect timeout, send window passed | yes |
 * | rate_limited | the gateway's own 429 | yes |
 * | bad_credentials | the gateway's own 401 or 403, account disabled | yes; the circuit opens |
 * | unsupported | the gateway lacks the capability | yes |
 * | invalid_request | the gateway's own 400, 404 or 422 | no |
 * | ambiguous | reset or timeout after bytes were sent, 5xx, 409 in progress, unreadable 2xx, any answer that is not the gateway's own | no, until an inquiry proves absence |
 */
export type GatewayErrorFamily =
  | 'not_sent'
  | 'rate_limited'
  | 'bad_credentials'
  | 'unsupported'
  | 'invalid_request'
  | 'ambiguous';
