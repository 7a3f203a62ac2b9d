/**
 * How a callback names the charge it is about: by our reference, by the gateway's id, or by both. If our answer was lost, an
 * inquiry can use the gateway's id.
 */
export type CallbackSubjectName =
  | { readonly reference: string; readonly gatewayTransactionId: string | null }
  | { readonly reference: null; readonly gatewayTransactionId: string };
