import {
  openPersonal,
  type CustomerKey,
  type PersonalDataCipher,
} from '../../domain/customers/personal-data';
import { MAX_NOTES, type Note, type NoteSubject } from '../../domain/notes/note';
import { pageBounds, type Page, type PageRequest } from '../../domain/shared/page';
import { CUSTOMER_KEY } from '../customers/customer-repository';
import type { Database, Tx } from '../sql/transaction';

export interface NewNote {
  readonly id: string;
  readonly userId: number;
  readonly author: string;
  readonly text: string;
  readonly createdAt: Date;
}

interface NoteRow extends Omit<Note, 'text'> {
  readonly sealedText: string;
  readonly customerKey: CustomerKey | null;
}

/** Owns `notes`. */
export class NoteRepository {
  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  /** False if the subject has all the notes it may have. `key`: of the customer, which `tx` has locked. */
  async insert(tx: Tx, subject: NoteSubject, key: CustomerKey, note: NewNote): Promise<boolean> {
    const { companyId, customerId, paymentId } = subject;
    const inserted = await this.db.execute(
      `INSERT INTO notes (id, company_id, customer_id, payment_id, user_id, user_name, sealed_text, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8 WHERE (SELECT count(*) ${OF_SUBJECT('$3', '$4')}) < ${MAX_NOTES}`,
      [
        note.id,
        companyId,
        customerId,
        paymentId,
        note.userId,
        note.author,
        await this.cipher.seal(key, { text: note.text }, recordOf(note)),
        note.createdAt,
      ],
      tx,
    );
    return inserted === 1;
  }

  /** Newest first. */
  async list({ customerId, paymentId }: NoteSubject, page: PageRequest): Promise<Page<Note>> {
    const { limit, offset } = pageBounds(page);
    const subject = [customerId, paymentId];
    const rows = await this.db.query<NoteRow>(
      `SELECT n.id, n.user_name AS author, n.sealed_text AS "sealedText", n.created_at AS "createdAt",
              (SELECT ${CUSTOMER_KEY} FROM customers c WHERE c.id = $1) AS "customerKey"
         ${OF_SUBJECT('$1', '$2')} ORDER BY n.created_at DESC, n.id DESC LIMIT $3 OFFSET $4`,
      [...subject, limit, offset],
    );
    const counted = await this.db.queryOne<{ total: number }>(
      `SELECT count(*) AS total ${OF_SUBJECT('$1', '$2')}`,
      subject,
    );
    return { rows: await Promise.all(rows.map((row) => this.toNote(row))), total: counted?.total ?? 0 };
  }

  private async toNote({ sealedText, customerKey, ...note }: NoteRow): Promise<Note> {
    const opened = await openPersonal<Pick<NewNote, 'text'>>(
      this.cipher,
      customerKey,
      sealedText,
      recordOf(note),
    );
    return { ...note, text: opened?.text ?? null };
  }
}

const OF_SUBJECT = (customer: string, payment: string) => `FROM notes n
  WHERE n.customer_id = ${customer} AND ((${payment}::bigint IS NULL AND n.payment_id IS NULL) OR n.payment_id = ${payment})`;

function recordOf({ id }: Pick<Note, 'id'>): string {
  return `notes:${id}`;
}
