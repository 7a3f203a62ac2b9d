/**
 * Why a payment needs attention. `overpaid`: more was paid than requested; `underpaid`: a part was paid, and is neither
 * accepted nor refunded; `disputed`: a dispute is not decided; `contradicted`: it is in manual review, because a report of the
 * gateway contradicts the records.
 */
export type PaymentAttention = 'overpaid' | 'underpaid' | 'disputed' | 'contradicted';
