import { renameSync, writeFileSync } from 'node:fs';

/** Readers see the old content or the new, never a part of it; only the owner can read it. */
export function writeFileAtomically(file: string, content: string): void {
  const partial = `${file}.${process.pid}`;
  writeFileSync(partial, content, { mode: 0o600 });
  renameSync(partial, file);
}
