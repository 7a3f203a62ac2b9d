import { newJournalEntryId } from '../../domain/shared/ids';
import type { JournalEntry } from '../../domain/ledger/journal';
import type { JointChange } from '../sql/joint-changes';

/** An entry of a company's ledger; `transactionId` is null if it is about no payment. */
export interface NewJournalEntry extends JournalEntry {
  readonly companyId: number;
  readonly transactionId: string | null;
}

/**
 * The changes that post entries, for the statement of the transition that they record. The transaction fails if an entry does
 * not sum to zero, or if one of the same payment and step exists.
 */
export function postedEntries(entries: readonly NewJournalEntry[]): JointChange[] {
  if (entries.length === 0) return [];
  const rows = entries.map((entry) => ({ ...entry, id: newJournalEntryId(entry.postedAt) }));
  return [
    {
      change: (values) => `${INSERT_ENTRIES} $${values.push(entriesOf(rows))}${ENTRY_COLUMNS}`,
      unlessOne: null,
    },
    {
      change: (values) => `${INSERT_POSTINGS} $${values.push(postingsOf(rows))}${POSTING_COLUMNS}`,
      unlessOne: null,
    },
  ];
}

type EntryRow = NewJournalEntry & { readonly id: string };

const INSERT_ENTRIES = `INSERT INTO ledger_entries (company_id, id, transaction_id, step, kind, currency, posted_at)
  SELECT company_id, id, transaction_id, step, kind, currency, posted_at FROM json_to_recordset(`;
const ENTRY_COLUMNS = `::json) AS entry (company_id bigint, id uuid, transaction_id uuid, step text, kind text, currency text,
  posted_at timestamptz)`;

const INSERT_POSTINGS = `INSERT INTO ledger_postings (company_id, entry_id, number, account, amount_cents, gateway_slug,
    gateway_account_id, recipient_id, expected_on, installment)
  SELECT company_id, entry_id, number, account, amount_cents, gateway_slug,
    (SELECT account_id FROM gateway_secrets secret WHERE secret.id = posting.secret_id),
    recipient_id, expected_on, installment FROM json_to_recordset(`;
const POSTING_COLUMNS = `::json) AS posting (company_id bigint, entry_id uuid, number int, account text, amount_cents bigint,
  gateway_slug text, secret_id uuid, recipient_id text, expected_on date, installment int)`;

function entriesOf(rows: readonly EntryRow[]): string {
  return JSON.stringify(
    rows.map(({ companyId, id, transactionId, step, kind, currency, postedAt }) => ({
      company_id: companyId,
      id,
      transaction_id: transactionId,
      step,
      kind,
      currency,
      posted_at: postedAt,
    })),
  );
}

function postingsOf(rows: readonly EntryRow[]): string {
  return JSON.stringify(
    rows.flatMap(({ companyId, id, secretId, postings }) =>
      postings.map((posting, index) => ({
        company_id: companyId,
        entry_id: id,
        number: index + 1,
        account: posting.account,
        amount_cents: posting.amountCents,
        gateway_slug: posting.gateway,
        secret_id: posting.gateway === null ? null : secretId,
        recipient_id: posting.recipientId,
        expected_on: posting.expectedOn,
        installment: posting.installment,
      })),
    ),
  );
}
