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

/** How long a written line may wait for the disk itself, in ms. A killed process loses nothing that was written. */
const SYNC_INTERVAL_MS = 200;
const NEWLINE = 0x0a;

/**
 * An append-only file of JSON lines. A line is in the operating system's hands when `append` returns, so it outlives
 * `kill -9`; many lines share one `fdatasync`, so it is fast.
 */
export class Journal<Line> {
  private size: number;
  private syncTimer: NodeJS.Timeout | null = null;

  private constructor(private readonly file: number) {
    this.size = fstatSync(file).size;
  }

  /** Opens or creates the file and hands on every whole line in order; a torn last line was never committed and is cut off. */
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

  /** Throws when the line could not be written whole; then nothing of it is left behind. */
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
      if (error) console.error(`the journal did not reach the disk: ${error.message}`);
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
