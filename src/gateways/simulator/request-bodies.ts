import type { ChargeRequest, GatewaySplit } from '../gateway';

export function chargeBodyOf(request: ChargeRequest): object {
  const { card, recurring } = request;
  return {
    reference: request.reference,
    amount: request.amountCents,
    currency: request.currency,
    method: request.paymentMethod,
    installments: request.installments,
    soft_descriptor: request.softDescriptor,
    customer: request.customer,
    card: card && {
      number: card.number,
      cvv: card.cvv,
      holder_name: card.holderName,
      expire_month: card.expireMonth,
      expire_year: card.expireYear,
      brand: card.brand,
    },
    billing_address: request.billingAddress,
    splits: request.splits.map(splitOf),
    ...(request.pix && { expires_in: request.pix.expiresInSeconds }),
    ...(request.billet && {
      due_at: request.billet.dueAt,
      expires_at: request.billet.expiresAt,
      instructions: request.billet.instructions,
    }),
    ...(recurring && {
      recurring: {
        initiated_by: recurring.initiatedBy,
        sequence: recurring.sequence,
        network_transaction_id: recurring.networkTransactionId,
      },
    }),
  };
}

export function splitOf(split: GatewaySplit): object {
  return {
    recipient_id: split.recipientId,
    amount: split.amountCents,
    liable: split.liable,
    charge_processing_fee: split.chargeProcessingFee,
  };
}
