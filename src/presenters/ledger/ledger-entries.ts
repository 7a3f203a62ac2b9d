import type { LedgerPosting } from '../../domain/ledger/journal';
import type { components } from '../../http/generated/openapi';

type Schemas = components['schemas'];

interface PresentableEntry {
  readonly id: string;
  readonly transactionId: string | null;
  readonly kind: Schemas['LedgerEntry']['kind'];
  readonly currency: string;
  readonly postedAt: Date;
  readonly postings: readonly LedgerPosting[];
}

interface PresentableBalance extends Pick<
  Schemas['LedgerBalance'],
  'day' | 'account' | 'gateway' | 'currency'
> {
  readonly changeCents: number;
  readonly balanceCents: number;
}

export function presentLedgerEntry(entry: PresentableEntry): Schemas['LedgerEntry'] {
  const { id, transactionId, kind, currency, postedAt, postings } = entry;
  return {
    id,
    transaction_id: transactionId,
    kind,
    currency,
    posted_at: postedAt.toISOString(),
    postings: postings.map(presentPosting),
  };
}

function presentPosting(posting: LedgerPosting): Schemas['LedgerPosting'] {
  const { account, amountCents, gateway, recipientId, expectedOn, installment } = posting;
  return {
    account,
    amount: amountCents,
    gateway,
    recipient_id: recipientId,
    expected_on: expectedOn,
    installment,
  };
}

export function presentLedgerBalance(balance: PresentableBalance): Schemas['LedgerBalance'] {
  const { day, account, gateway, currency, changeCents, balanceCents } = balance;
  return { day, account, gateway, currency, change: changeCents, balance: balanceCents };
}
