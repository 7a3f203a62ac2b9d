import type {
  EvidenceFileType,
  EvidenceKind,
  EvidenceState,
  NewEvidence,
} from '../../domain/disputes/dispute-evidence';
import {
  openPersonal,
  type CustomerKey,
  type PersonalDataCipher,
} from '../../domain/customers/personal-data';
import type { DisputeId, EvidenceId } from '../../domain/shared/ids';
import { CUSTOMER_KEY } from '../customers/customer-repository';
import type { Database, Tx } from '../sql/transaction';

/** Evidence without the content of its file. */
export interface ListedEvidence {
  readonly id: EvidenceId;
  readonly kind: EvidenceKind;
  /** Null for a text. */
  readonly contentType: EvidenceFileType | null;
  readonly sizeBytes: number;
  /** The text, or the file's name. Null once the customer is erased. */
  readonly words: string | null;
  readonly state: EvidenceState;
  readonly createdAt: Date;
}

/** The dispute that evidence is about, with the customer of its payment. */
export interface EvidenceOwner {
  readonly companyId: number;
  readonly disputeId: DisputeId;
  readonly customerId: number;
  /** Null once the customer is erased. */
  readonly customerKey: CustomerKey | null;
}

/** Evidence sealed with the customer's key. */
export interface SealedEvidence {
  readonly id: EvidenceId;
  readonly kind: EvidenceKind;
  readonly contentType: EvidenceFileType | null;
  readonly sizeBytes: number;
  readonly sealedWords: string;
  readonly sealedFile: string | null;
}

/** Evidence as its gateway gets it. */
export interface SubmittedEvidence extends Pick<ListedEvidence, 'id' | 'kind' | 'contentType' | 'words'> {
  readonly bytes: Buffer | null;
  /** The gateway's id of the file, once it is uploaded. */
  readonly gatewayFileId: string | null;
}

interface StoredRow extends Omit<ListedEvidence, 'words'> {
  readonly sealedWords: string;
  readonly customerKey: CustomerKey | null;
}

const KEY = `(SELECT ${CUSTOMER_KEY} FROM customers c WHERE c.id = e.customer_id) AS "customerKey"`;

const LISTED = `e.id, e.kind, e.content_type AS "contentType", e.size_bytes AS "sizeBytes", e.sealed_words AS "sealedWords",
  CASE r.status WHEN 'done' THEN 'submitted' WHEN 'unknown' THEN 'unknown' WHEN 'requested' THEN 'submitting'
    WHEN 'sent' THEN 'submitting' ELSE 'draft' END AS state, e.created_at AS "createdAt", ${KEY}`;

/** The one owner of `dispute_evidence`, which is sealed with the key of the payment's customer. */
export class DisputeEvidenceRepository {
  constructor(
    private readonly db: Database,
    private readonly cipher: PersonalDataCipher,
  ) {}

  /** Null if the company has no such dispute. */
  async findOwner(companyId: number, disputeId: DisputeId): Promise<EvidenceOwner | null> {
    return this.db.queryOne<EvidenceOwner>(
      `SELECT d.company_id AS "companyId", d.id AS "disputeId", c.id AS "customerId", ${CUSTOMER_KEY} AS "customerKey"
         FROM disputes d JOIN payments p ON p.id = d.payment_id JOIN customers c ON c.id = p.customer_id
        WHERE d.company_id = $1 AND d.id = $2`,
      [companyId, disputeId],
    );
  }

  async seal(key: CustomerKey, id: EvidenceId, { kind, content }: NewEvidence): Promise<SealedEvidence> {
    if (content.form === 'text') {
      const sealedWords = await this.cipher.seal(key, { words: content.text }, wordsOf(id));
      const sizeBytes = Buffer.byteLength(content.text);
      return { id, kind, contentType: null, sizeBytes, sealedWords, sealedFile: null };
    }
    const { name, contentType, bytes } = content;
    const [sealedWords, sealedFile] = await Promise.all([
      this.cipher.seal(key, { words: name }, wordsOf(id)),
      this.cipher.seal(key, { base64: bytes.toString('base64') }, fileOf(id)),
    ]);
    return { id, kind, contentType, sizeBytes: bytes.length, sealedWords, sealedFile };
  }

  /** False, and nothing is inserted, if there is a draft of this kind and form. The caller has locked the dispute. */
  async insert(tx: Tx, owner: EvidenceOwner, evidence: SealedEvidence, now: Date): Promise<boolean> {
    const { companyId, disputeId, customerId } = owner;
    const { id, kind, contentType, sizeBytes, sealedWords, sealedFile } = evidence;
    const row = await this.db.queryOne(
      `INSERT INTO dispute_evidence (id, company_id, dispute_id, customer_id, kind, content_type, size_bytes, sealed_words,
         sealed_file, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (dispute_id, kind, (content_type IS NULL)) WHERE request_id IS NULL DO NOTHING RETURNING id`,
      [id, companyId, disputeId, customerId, kind, contentType, sizeBytes, sealedWords, sealedFile, now],
      tx,
    );
    return row !== null;
  }

  /** How many drafts a dispute has, and the bytes of their files. */
  async measureDrafts(
    tx: Tx,
    disputeId: DisputeId,
  ): Promise<{ readonly count: number; readonly fileBytes: number }> {
    const row = await this.db.queryOne<{ count: number; fileBytes: number }>(
      `SELECT count(*), coalesce(sum(size_bytes) FILTER (WHERE content_type IS NOT NULL), 0)::bigint AS "fileBytes"
         FROM dispute_evidence WHERE dispute_id = $1 AND request_id IS NULL`,
      [disputeId],
      tx,
    );
    return row ?? { count: 0, fileBytes: 0 };
  }

  /** Oldest first. */
  async list(companyId: number, disputeId: DisputeId): Promise<ListedEvidence[]> {
    const rows = await this.db.query<StoredRow>(
      `SELECT ${LISTED} FROM dispute_evidence e LEFT JOIN dispute_requests r ON r.id = e.request_id
        WHERE e.company_id = $1 AND e.dispute_id = $2 ORDER BY e.created_at, e.id`,
      [companyId, disputeId],
    );
    return Promise.all(
      rows.map(async ({ sealedWords, customerKey, ...row }) => ({
        ...row,
        words: await this.openWords(customerKey, row.id, sealedWords),
      })),
    );
  }

  /** Deletes a draft; null if there is none with this id. */
  async deleteDraft(
    tx: Tx,
    disputeId: DisputeId,
    id: EvidenceId,
  ): Promise<Pick<ListedEvidence, 'kind'> | null> {
    return this.db.queryOne<Pick<ListedEvidence, 'kind'>>(
      'DELETE FROM dispute_evidence WHERE id = $1 AND dispute_id = $2 AND request_id IS NULL RETURNING kind',
      [id, disputeId],
      tx,
    );
  }

  /** All drafts become part of the submission. */
  async assignDrafts(tx: Tx, disputeId: DisputeId, requestId: string): Promise<void> {
    await this.db.execute(
      'UPDATE dispute_evidence SET request_id = $2 WHERE dispute_id = $1 AND request_id IS NULL',
      [disputeId, requestId],
      tx,
    );
  }

  /** The evidence of a submission that had no effect is drafts again. */
  async release(tx: Tx, requestId: string): Promise<void> {
    await this.db.execute(
      'UPDATE dispute_evidence SET request_id = NULL WHERE request_id = $1',
      [requestId],
      tx,
    );
  }

  /** What a submission has, oldest first; null if its customer was erased. */
  async listSubmission(requestId: string): Promise<SubmittedEvidence[] | null> {
    const rows = await this.db.query<
      SealedEvidence & Pick<StoredRow, 'customerKey'> & { gatewayFileId: string | null }
    >(
      `SELECT e.id, e.kind, e.content_type AS "contentType", e.sealed_words AS "sealedWords", e.sealed_file AS "sealedFile",
         e.gateway_file_id AS "gatewayFileId", ${KEY}
         FROM dispute_evidence e WHERE e.request_id = $1 ORDER BY e.created_at, e.id`,
      [requestId],
    );
    if (rows.some(({ customerKey }) => customerKey === null)) return null;
    return Promise.all(
      rows.map(async ({ id, kind, contentType, gatewayFileId, customerKey, sealedWords, sealedFile }) => {
        const words = await this.openWords(customerKey, id, sealedWords);
        const file = await openPersonal<{ base64: string }>(this.cipher, customerKey, sealedFile, fileOf(id));
        const bytes = file === null ? null : Buffer.from(file.base64, 'base64');
        return { id, kind, contentType, words, bytes, gatewayFileId };
      }),
    );
  }

  async recordUpload(id: EvidenceId, gatewayFileId: string): Promise<void> {
    await this.db.execute('UPDATE dispute_evidence SET gateway_file_id = $2 WHERE id = $1', [
      id,
      gatewayFileId,
    ]);
  }

  private async openWords(key: CustomerKey | null, id: EvidenceId, sealed: string): Promise<string | null> {
    const opened = await openPersonal<{ words: string }>(this.cipher, key, sealed, wordsOf(id));
    return opened?.words ?? null;
  }
}

/** Where the parts are stored: elsewhere they do not open. */
const wordsOf = (id: EvidenceId): string => `dispute_evidence.words:${id}`;
const fileOf = (id: EvidenceId): string => `dispute_evidence.file:${id}`;
