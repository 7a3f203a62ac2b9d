import {
  appendFileSync,
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** The longest delay between a write and its fdatasync, in ms. A killed process loses nothing that was written. */
const SYNC_INTERVAL_MS = 200;
const NEWLINE = 0x0a;

/**
 * An append-only file of JSON lines. `append` returns after the write, so a line survives `kill -9`. Many lines share one
 * `fdatasync` for speed, so a machine crash may lose the last ones.
 */
export class Journal<Line> {
  private size: number;
  private syncTimer: NodeJS.Timeout | null = null;

  private constructor(private readonly file: number) {
    this.size = fstatSync(file).size;
  }

  /** Opens or creates the file and passes every complete line in order. A torn last line was never committed and is truncated. */
  static open<Line>(path: string, onLine: (line: Line) => void): Journal<Line> {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'a+', 0o600);
    const content = readFileSync(file);
    const wholeBytes = content.lastIndexOf(NEWLINE) + 1;
    if (wholeBytes < content.length) ftruncateSync(file, wholeBytes);
    let start = 0;
    for (let number = 1; start < wholeBytes; number += 1) {
      const end = content.indexOf(NEWLINE, start);
      onLine(parseLine(content.toString('utf8', start, end), path, number));
      start = end + 1;
    }
    return new Journal<Line>(file);
  }

  /** Throws if the line could not be written completely; a partial write is rolled back. */
  append(line: Line): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    try {
      appendFileSync(this.file, bytes);
    } catch (error) {
      ftruncateSync(this.file, this.size);
      throw error;
    }
    this.size += bytes.length;
    this.syncTimer ??= setTimeout(() => this.sync(), SYNC_INTERVAL_MS).unref();
  }

  close(): void {
    if (this.syncTimer !== null) clearTimeout(this.syncTimer);
    fdatasyncSync(this.file);
    closeSync(this.file);
  }

  private sync(): void {
    this.syncTimer = null;
    fdatasync(this.file, (error) => {
      if (error) console.error(`journal sync failed: ${error.message}`);
    });
  }
}

function parseLine<Line>(text: string, path: string, number: number): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    throw new Error(`${path} is damaged at line ${number}`);
  }
}
