import type { ChargeInitiation, NetworkIds } from '../../domain/shared/charge-initiation';
import type { CardVerificationRequest, ChargeRequest, GatewayCard, GatewaySplit } from '../gateway';
import type { PurchaseData } from '../purchase-data';
import type { WireInitiation, WireNetworkIds } from './wire';
import type { WirePurchase } from './wire-purchase';

export function chargeBodyOf(request: ChargeRequest): object {
  const { card } = request;
  return {
    reference: request.reference,
    amount: request.amountCents,
    currency: request.currency,
    method: request.paymentMethod,
    installments: request.installments,
    soft_descriptor: request.softDescriptor,
    customer: request.customer,
    card: card && cardOf(card),
    billing_address: request.billingAddress,
    splits: request.splits.map(splitOf),
    ...(request.pix && { expires_in: request.pix.expiresInSeconds }),
    ...(request.billet && {
      due_at: request.billet.dueAt,
      expires_at: request.billet.expiresAt,
      instructions: request.billet.instructions,
    }),
    initiation: initiationOf(request.initiation),
    purchase: purchaseOf(request.purchase),
  };
}

export function verificationBodyOf(request: CardVerificationRequest): object {
  const { reference, currency, customer, card, billingAddress, initiation } = request;
  return { reference, currency, customer, card: cardOf(card), billing_address: billingAddress, initiation };
}

function cardOf(card: GatewayCard): object {
  return {
    number: card.number,
    cvv: card.cvv,
    holder_name: card.holderName,
    expire_month: card.expireMonth,
    expire_year: card.expireYear,
    brand: card.brand,
  };
}

function initiationOf(initiation: ChargeInitiation): WireInitiation {
  if (initiation.initiator === 'customer') return initiation;
  const { initiator, reason, networkIds: ids } = initiation;
  return { initiator, reason, network_ids: ids && wireIdsOf(ids) };
}

function purchaseOf({ items, ...data }: PurchaseData): WirePurchase {
  return {
    payer_ip: data.payerIp,
    payer_phone: data.payerPhone,
    description: data.description,
    items: items.map(({ name, quantity, unitCents }) => ({ name, quantity, unit_amount: unitCents })),
    return_url: data.returnUrl,
    origin: data.origin,
  };
}

function wireIdsOf({ transactionId, transactionLinkId, eloReference }: NetworkIds): WireNetworkIds {
  return {
    network_transaction_id: transactionId,
    transaction_link_id: transactionLinkId,
    elo_reference: eloReference,
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
