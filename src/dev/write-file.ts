import { renameSync, writeFileSync } from 'node:fs';

/** Replaces the file atomically: readers never see partial content. Only the owner can read it. */
export function writeFileAtomically(file: string, content: string): void {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, content, { mode: 0o600 });
  renameSync(partial, file);
}
