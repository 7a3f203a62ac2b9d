import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { temporal } from '@temporalio/proto';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils';
import { projectRoot } from '../../../src/paths';

export type History = temporal.api.history.v1.IHistory;

const FOLDER = join(projectRoot, 'test', 'workflows', 'histories');

/** Set by `npm run record:histories`: the histories of this run are saved, and later versions must replay them. */
export const recording = process.env['RECORD_HISTORIES'] === 'true';

export function saveHistory(name: string, history: History): void {
  const file = join(FOLDER, folderOf(name), `${name}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${historyToJSON(history)}\n`);
}

export function recordedHistories(): Array<{ workflowId: string; history: History }> {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.json'),
  );
  return files.map((file) => {
    const history = historyFromJSON(JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));
    return { workflowId: workflowIdOf(history), history };
  });
}

/** Payloads decrypt only for the workflow that they were made for. */
export function workflowIdOf({ events }: History): string {
  const id = events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId;
  if (typeof id !== 'string') throw new Error('the history names no workflow');
  return id;
}

function folderOf(name: string): string {
  if (name.startsWith('subscription-')) return 'subscriptions';
  if (name.startsWith('dispute-')) return 'disputes';
  if (name.startsWith('settlement-')) return 'settlements';
  return name.startsWith('delivery-') ? 'webhooks' : 'payments';
}
