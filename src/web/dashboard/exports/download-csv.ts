import { errorFromResponse, RequestError } from '../../api/request-error';
import { modeHeader } from '../mode';
import { CsvRecords } from './csv-records';

export interface CsvRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly signal: AbortSignal;
  /** Called with the number of rows so far. */
  readonly onRows: (rows: number) => void;
}

/** Consecutive tries in which no row arrives. */
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 500;
/** The browser may keep a `Blob` on the disk, a text only in memory. */
const CHARACTERS_PER_BLOB = 4_000_000;

/**
 * Downloads a CSV file. After an interruption it resumes after the last complete row. The file begins with a byte order
 * mark, without which spreadsheets do not recognize UTF-8.
 *
 * @throws RequestError if it cannot go on; `signal`'s reason if it is aborted
 */
export async function downloadCsv(request: CsvRequest): Promise<Blob> {
  const file = new CsvFile();
  let tries = 0;
  while (true) {
    const rowsBefore = file.rows;
    try {
      await readInto(file, request);
      return file.toBlob();
    } catch (error) {
      request.signal.throwIfAborted();
      tries = file.rows > rowsBefore ? 1 : tries + 1;
      if (tries === MAX_TRIES || !isTemporary(error)) throw error;
      await pause(FIRST_PAUSE_MS * 2 ** tries, request.signal);
    }
  }
}

class CsvFile {
  private blobs: Blob[] = [];
  private texts: string[] = [];
  private characters = 0;
  private records = new CsvRecords();

  /** Without the header. */
  get rows(): number {
    return Math.max(0, this.records.count - 1);
  }

  get isCutOff(): boolean {
    return this.records.endsInside;
  }

  /** What a download that was interrupted asks for. Without a row it begins anew. */
  resume(): string | null {
    if (this.rows > 0) this.records.dropIncomplete();
    else {
      this.records = new CsvRecords();
      this.texts = [];
    }
    return this.rows > 0 ? this.records.lastId : null;
  }

  add(piece: string): void {
    const complete = this.records.take(piece);
    this.texts.push(complete);
    this.characters += complete.length;
    if (this.characters < CHARACTERS_PER_BLOB) return;
    this.blobs.push(new Blob(this.texts));
    this.texts = [];
    this.characters = 0;
  }

  toBlob(): Blob {
    return new Blob(['\uFEFF', ...this.blobs, ...this.texts], { type: 'text/csv;charset=utf-8' });
  }
}

async function readInto(file: CsvFile, { path, query, signal, onRows }: CsvRequest): Promise<void> {
  const after = file.resume();
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...(after !== null && { after }) })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const url = `/api/v1${path}?${parameters.toString()}`;
  const response = await fetch(url, { credentials: 'same-origin', headers: modeHeader, signal }).catch(
    (): never => {
      throw new RequestError({ status: null });
    },
  );
  if (!response.ok || response.body === null) {
    throw errorFromResponse(response.status, await response.json().catch(() => null));
  }
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  while (true) {
    const { done, value } = await reader.read();
    // A proxy may end a response regularly that was cut off.
    if (done && file.isCutOff) throw new RequestError({ status: null });
    if (done) return;
    file.add(value);
    onRows(file.rows);
  }
}

/** A connection that breaks in the middle is an error without a status. */
function isTemporary(error: unknown): boolean {
  return !(error instanceof RequestError) || error.isOutcomeUnknown;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
