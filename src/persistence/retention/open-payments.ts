/**
 * The SQL condition that something is left to do about a payment: it may still change, an operator must look at it, or a
 * dispute of it is open. `payment` is the alias of its row.
 */
export function isOpen(payment: string): string {
  return `(${payment}.status IN ('processing', 'pending', 'authorized') OR ${payment}.recover_after IS NOT NULL
    OR ${payment}.stuck_at IS NOT NULL
    OR EXISTS (SELECT FROM disputes d WHERE d.payment_id = ${payment}.id AND d.status IN ('opened', 'submitted')))`;
}
