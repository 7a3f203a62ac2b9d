import type { StoredCharge, StoredDispute } from '../../charge-store';
import { eventDate } from './event-date';
import { referenceFrom } from './ids';
import { variantOf } from './record';

/** What a webhook about a dispute has besides the payment. */
interface DisputeItem {
  readonly eventCode: string;
  readonly pspReference: string;
  readonly amount: { readonly currency: string; readonly value: number };
  readonly eventDate: string;
  readonly reason: string;
  readonly additionalData: Readonly<Record<string, string>>;
}

/** https://docs.adyen.com/risk-management/disputes-api/dispute-notifications, with the `disputeStatus` of each event. */
type DisputeEvent = readonly [eventCode: string, disputeStatus: string];

/** A dispute as the last webhook about it told it. */
interface Told {
  readonly status: StoredDispute['status'];
  /** Whether the issuer has gone on after a decision. */
  readonly isPreArbitration: boolean;
  /** Epoch ms. */
  readonly at: number;
}

/** Adyen's dates have whole seconds, and each event comes after the one before it. */
const SECOND_MS = 1_000;

/** Tells each change of a dispute by the event that Adyen has for it, so it remembers what it has told. */
export class DisputeHistory {
  private readonly told = new Map<string, Told>();

  itemsOf(charge: StoredCharge, dispute: StoredDispute): DisputeItem[] {
    const before = this.told.get(dispute.id);
    const first = Math.max(Date.parse(dispute.changedAt), (before?.at ?? 0) + SECOND_MS);
    const items = eventsOf(dispute, before).map(([eventCode, disputeStatus], index) =>
      itemOf(charge, dispute, { eventCode, disputeStatus, at: first + index * SECOND_MS }),
    );
    const isPreArbitration = before?.isPreArbitration === true || isDecided(before?.status);
    const at = first + (items.length - 1) * SECOND_MS;
    this.told.set(dispute.id, { status: dispute.status, isPreArbitration, at });
    return items;
  }
}

function eventsOf({ kind, status }: StoredDispute, before: Told | undefined): readonly DisputeEvent[] {
  const isPreArbitration = before?.isPreArbitration === true;
  switch (status) {
    case 'opened':
      if (before !== undefined) return [['PREARBITRATION_OPEN', 'Undefended']];
      return kind === 'retrieval'
        ? [['REQUEST_FOR_INFORMATION', 'Unresponded']]
        : [
            ['NOTIFICATION_OF_CHARGEBACK', 'Undefended'],
            ['CHARGEBACK', 'Undefended'],
          ];
    case 'submitted':
      return [['INFORMATION_SUPPLIED', 'Pending']];
    case 'won':
      return [[isPreArbitration ? 'PREARBITRATION_WON' : 'CHARGEBACK_REVERSED', 'Won']];
    case 'lost':
      if (isPreArbitration) return [['PREARBITRATION_LOST', 'Lost']];
      return [
        [before?.status === 'submitted' ? 'SECOND_CHARGEBACK' : 'DISPUTE_DEFENSE_PERIOD_ENDED', 'Lost'],
      ];
  }
}

function itemOf(
  charge: StoredCharge,
  { id, kind, amount, reasonCode, evidenceDueAt }: StoredDispute,
  event: { readonly eventCode: string; readonly disputeStatus: string; readonly at: number },
): DisputeItem {
  const prefix = kind === 'retrieval' ? 'rfi' : 'chargeback';
  return {
    eventCode: event.eventCode,
    pspReference: referenceFrom(id),
    amount: { currency: charge.currency, value: amount },
    eventDate: eventDate(new Date(event.at).toISOString()),
    reason: '',
    additionalData: {
      ...(reasonCode !== null && { [`${prefix}ReasonCode`]: reasonCode }),
      [`${prefix}SchemeCode`]: variantOf(charge),
      ...(evidenceDueAt !== null && { defensePeriodEndsAt: eventDate(evidenceDueAt) }),
      disputeStatus: event.disputeStatus,
    },
  };
}

/** A chargeback of the whole charge that is no dispute of the ledger. */
export function chargebackItem(charge: StoredCharge): DisputeItem {
  return {
    eventCode: 'CHARGEBACK',
    pspReference: referenceFrom(`${charge.id} dispute`),
    amount: { currency: charge.currency, value: charge.amount },
    eventDate: eventDate(charge.operations.at(-1)?.at ?? ''),
    reason: 'Fraudulent Processing of Transactions',
    additionalData: {
      chargebackReasonCode: '10.4',
      chargebackSchemeCode: variantOf(charge),
      disputeStatus: 'Undefended',
    },
  };
}

function isDecided(status: StoredDispute['status'] | undefined): boolean {
  return status === 'won' || status === 'lost';
}
