import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { temporal } from '@temporalio/proto';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils';
import { projectRoot } from '../../src/paths';

export type History = temporal.api.history.v1.IHistory;

const FOLDER = join(projectRoot, 'test', 'workflows', 'histories');

/** Set by `npm run record:histories`: what runs now becomes what later versions must replay. */
export const recording = process.env['RECORD_HISTORIES'] === 'true';

export function saveHistory(name: string, history: History): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.json`), `${historyToJSON(history)}\n`);
}

export function recordedHistories(): Array<{ workflowId: string; history: History }> {
  return readdirSync(FOLDER).map((file) => ({
    workflowId: file.replace(/\.json$/, ''),
    history: historyFromJSON(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
  }));
}
