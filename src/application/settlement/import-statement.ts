import { createHash, randomUUID } from 'node:crypto';
import type { AuditActor } from '../../domain/companies/audit-actor';
import type { SettlementToStart } from '../../domain/settlement/settlement';
import { CsvRecords, StatementRecordReader } from '../../domain/settlement/statement-csv';
import type { StatementLine } from '../../domain/settlement/statement-line';
import { ApiError, validationError } from '../../domain/shared/errors';
import type { GatewaySlug } from '../../domain/shared/gateway-slug';
import type { GatewayAccountId, SettlementId } from '../../domain/shared/ids';
import type { AuditRepository } from '../../persistence/companies/audit-repository';
import type {
  SettlementRecord,
  SettlementRepository,
} from '../../persistence/settlement/settlement-repository';
import type { StatementLineRepository } from '../../persistence/settlement/statement-line-repository';
import type { Database } from '../../persistence/sql/transaction';

export interface ImportStatementDeps {
  readonly db: Database;
  readonly settlements: SettlementRepository;
  readonly statementLines: StatementLineRepository;
  readonly audit: AuditRepository;
  readonly wake: (settlement: SettlementToStart) => Promise<void>;
  readonly now: () => Date;
  /** Reports an error that the caller must not see, because the upload is committed. */
  readonly reportError: (error: unknown) => void;
}

export interface StatementUpload {
  readonly gateway: GatewaySlug;
  readonly day: string;
  /** The company's current account at the gateway if null. */
  readonly accountId: string | null;
  /** The file, in UTF-8. */
  readonly chunks: AsyncIterable<Buffer>;
}

export interface ImportedStatement {
  readonly id: SettlementId;
  /** False if the same file was imported before. */
  readonly isNew: boolean;
}

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINES = 500_000;
const MAX_ERRORS = 20;
/** Lines of one transaction. */
const BATCH = 1_000;

/**
 * Stores an uploaded statement, batch by batch, and has it reconciled. Nothing of it counts before its last line is stored: an upload
 * that is refused or breaks off is forgotten, and one that ended with its process is replaced by the next. The same file again changes
 * nothing.
 *
 * @throws ApiError `validation_error` with the lines that are wrong; `invalid_state` if another statement of the day was imported
 */
export class ImportStatement {
  constructor(private readonly deps: ImportStatementDeps) {}

  async execute(actor: AuditActor, upload: StatementUpload): Promise<ImportedStatement> {
    const { companyId } = actor;
    const { gateway, day } = upload;
    const accountId = await this.accountOf(companyId, upload);
    const account = { companyId, gateway, accountId };
    const uploadId = randomUUID();
    const begun = await this.deps.settlements.beginUpload(account, day, uploadId, this.deps.now());
    const reader = new UploadReader();
    try {
      for await (const batch of reader.batches(upload.chunks)) {
        if (batch.length === 0 || !begun.isNew) continue;
        await this.store(begun.settlement, uploadId, batch, reader.lineCount - batch.length + 1);
      }
      if (reader.lineCount === 0) throw validationError({ body: ['must be CSV with a header and lines'] });
    } catch (error) {
      if (begun.isNew) await this.drop(begun.settlement, uploadId);
      throw error;
    }
    if (!begun.isNew) {
      if (begun.settlement.digest === reader.digest()) return { id: begun.settlement.id, isNew: false };
      throw new ApiError(
        'invalid_state',
        `A statement of ${gateway} for ${day} was imported already, with other lines. The first one stays.`,
      );
    }
    await this.complete(actor, begun.settlement, uploadId, reader);
    return { id: begun.settlement.id, isNew: true };
  }

  private async accountOf(
    companyId: number,
    { gateway, accountId }: StatementUpload,
  ): Promise<GatewayAccountId | null> {
    const known = await this.deps.settlements.listAccounts(companyId, gateway);
    if (accountId === null) return known[0] ?? null;
    const found = known.find((id) => id === accountId);
    if (found === undefined)
      throw validationError({ account_id: ['is no account of the company at this gateway'] });
    return found;
  }

  private async store(
    { id, companyId }: SettlementRecord,
    uploadId: string,
    lines: readonly StatementLine[],
    firstNumber: number,
  ): Promise<void> {
    const { db, settlements, statementLines, now } = this.deps;
    await db.inTransaction(async (tx) => {
      if (!(await settlements.countUploaded(tx, id, uploadId, lines.length, now()))) throw replaced();
      await statementLines.insert(tx, { id, companyId }, lines, firstNumber);
    });
  }

  /** Forgets an upload that was refused or broke off, so that its day is not shown as begun. */
  private async drop({ id }: SettlementRecord, uploadId: string): Promise<void> {
    try {
      await this.deps.settlements.dropUpload(id, uploadId);
    } catch (error) {
      // The next upload of the day replaces it.
      this.deps.reportError(error);
    }
  }

  private async complete(
    actor: AuditActor,
    settlement: SettlementRecord,
    uploadId: string,
    reader: UploadReader,
  ): Promise<void> {
    const { db, settlements, audit, now, wake, reportError } = this.deps;
    const { companyId, userId, requestId, sessionId } = actor;
    const { id, gatewaySlug: gateway, accountId, day } = settlement;
    await db.inTransaction(async (tx) => {
      if (!(await settlements.completeUpload(tx, id, uploadId, reader.digest(), now()))) throw replaced();
      await audit.insert(tx, {
        companyId,
        userId,
        requestId,
        ...(sessionId !== undefined && { sessionId }),
        action: 'settlement.import',
        subjectType: 'settlement',
        subjectId: id,
        changes: { gateway, day, lines: reader.lineCount },
        operationId: uploadId,
      });
    });
    try {
      await wake({ settlementId: id, companyId, gateway, accountId, day });
    } catch (error) {
      // The sweeper wakes it.
      reportError(error);
    }
  }
}

/**
 * Reads the lines of a file in batches, within the limits, and counts and hashes them. A file that is refused is read to its end all the
 * same: a caller that is still sending would see a broken connection instead of what is wrong.
 */
class UploadReader {
  lineCount = 0;
  private bytes = 0;
  private recordNumber = 0;
  private readonly hash = createHash('sha256');
  private readonly errors: string[] = [];
  private refusal: ApiError | null = null;
  private records: StatementRecordReader | null = null;
  private readonly csv = new CsvRecords();
  private readonly decoder = new TextDecoder('utf-8', { fatal: true });

  digest(): string {
    return this.hash.copy().digest('hex');
  }

  async *batches(chunks: AsyncIterable<Buffer>): AsyncGenerator<StatementLine[]> {
    let batch: StatementLine[] = [];
    for await (const chunk of chunks) {
      this.bytes += chunk.length;
      if (this.bytes > MAX_BYTES) throw tooLarge(`at most ${MAX_BYTES / 1024 / 1024} MiB`);
      batch.push(...this.linesOf(() => this.csv.push(this.textOf(chunk))));
      if (batch.length < BATCH) continue;
      yield* this.take(batch);
      batch = [];
    }
    batch.push(...this.linesOf(() => [...this.csv.push(this.textOf()), ...this.csv.end()]));
    yield* this.take(batch);
    if (this.refusal !== null) throw this.refusal;
    if (this.errors.length > 0) throw invalid(this.errors);
  }

  private *take(lines: readonly StatementLine[]): Generator<StatementLine[]> {
    for (let start = 0; start < lines.length; start += BATCH) {
      const part = lines.slice(start, start + BATCH);
      this.lineCount += part.length;
      if (this.lineCount > MAX_LINES) this.refusal ??= tooLarge(`at most ${MAX_LINES} lines`);
      if (this.refusal === null && this.errors.length === 0) yield part;
    }
  }

  /** The lines of the next records; none once the file is refused. */
  private linesOf(readRecords: () => string[][]): StatementLine[] {
    if (this.refusal !== null) return [];
    try {
      return readRecords().flatMap((record) => this.read(record));
    } catch (error) {
      this.refusal ??= invalid([`after line ${this.recordNumber}: ${(error as Error).message}`]);
      return [];
    }
  }

  private read(record: readonly string[]): StatementLine[] {
    if (this.refusal !== null) return [];
    this.recordNumber += 1;
    try {
      if (this.records === null) {
        this.records = StatementRecordReader.of(record);
        return [];
      }
      const line = this.records.read(record);
      this.hash.update(JSON.stringify(line));
      return [line];
    } catch (error) {
      this.errors.push(`line ${this.recordNumber}: ${(error as Error).message}`);
      // Without its columns, nothing of the file can be read.
      if (this.records === null || this.errors.length >= MAX_ERRORS) this.refusal = invalid(this.errors);
      return [];
    }
  }

  /** The next part of the text; without a chunk, what is left. */
  private textOf(chunk?: Buffer): string {
    try {
      return chunk === undefined ? this.decoder.decode() : this.decoder.decode(chunk, { stream: true });
    } catch {
      throw new Error('the file must be in UTF-8');
    }
  }
}

function invalid(errors: readonly string[]): ApiError {
  return validationError({ body: errors.slice(0, MAX_ERRORS) });
}

function tooLarge(limit: string): ApiError {
  return new ApiError('payload_too_large', `The file is too large: a statement has ${limit}.`);
}

function replaced(): ApiError {
  return new ApiError('invalid_state', 'Another upload of the same statement has replaced this one.');
}
