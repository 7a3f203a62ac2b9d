import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { Payload } from '@temporalio/common';
import { loadSandboxConfig } from '../../../src/config';
import { EncryptionCodec } from '../../../src/temporal/codec';
import { CANARY, type Merchant } from '../../support/merchant/merchant';
import type { FaultStack } from './fault-stack';

/** Something to search: a file, a table or a workflow history. */
interface SearchedText {
  readonly place: string;
  readonly content: Buffer;
}

export interface SecretSearch {
  /** I8: the places that contain a card number, a CVV, an API key or a gateway secret. Never the secret itself. */
  readonly leaks: string[];
  /** The places that contain `control`, which is not secret: they prove that the search works. */
  readonly controlMatches: string[];
}

/** Searches every log, file, table and workflow history of the service for secrets of this run. */
export async function searchForSecrets(
  stack: FaultStack,
  merchants: readonly Merchant[],
  control: string,
): Promise<SecretSearch> {
  const needles = [
    ...encodedForms(CANARY.cardPrefix),
    ...encodedForms(CANARY.secretPrefix),
    ...merchants.flatMap(({ apiKey }) => encodedForms(apiKey)),
  ];
  const search: SecretSearch = { leaks: [], controlMatches: [] };
  const scan = ({ place, content }: SearchedText): void => {
    if (needles.some((needle) => content.includes(needle))) search.leaks.push(place);
    if (content.includes('cvv') && CVV.test(content.toString('latin1'))) search.leaks.push(`${place} (CVV)`);
    if (content.includes(control)) search.controlMatches.push(place);
  };
  for (const file of filesOf(stack)) {
    const content = readUnlessDeleted(file);
    if (content !== null) scan({ place: file, content });
  }
  for (const table of await tables(stack)) scan(table);
  for await (const history of histories(stack)) scan(history);
  return search;
}

/** A field named cvv with digits, in JSON or other text. Digits alone would match everywhere. */
const CVV = /\bcvv\\?["']?\s*[:=]\s*\\?["']?\d{3,4}\b/;

/** The secret as text, and its base64 encodings at each of the three byte offsets. */
function encodedForms(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('x'.repeat(offset) + secret).toString('base64');
    // The first and last characters depend on the neighbouring bytes too.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -4);
  });
  return [secret, ...inBase64];
}

/** The logs, the Postgres cluster with its write-ahead log and Temporal's database. The simulator's data is not the service's. */
function filesOf({ spec }: FaultStack): string[] {
  const placeFile = join(spec.folder, 'postgres-place.json');
  const outside = existsSync(placeFile)
    ? [(JSON.parse(readFileSync(placeFile, 'utf8')) as { folder: string }).folder]
    : [];
  return [spec.folder, ...outside]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => !file.startsWith(join(spec.folder, 'simulator')))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** Null if the file is gone: Postgres and Temporal delete files of their own at any time. */
function readUnlessDeleted(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Every row of every table, as text. In the cluster's files, large values are compressed. */
async function tables({ db }: FaultStack): Promise<SearchedText[]> {
  const names = await db.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  return Promise.all(
    names.map(async ({ name }) => {
      const rows = await db.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      return { place: `table ${name}`, content: Buffer.from(rows.map(({ row }) => row).join('\n')) };
    }),
  );
}

/** The history of each workflow as stored, and all its payloads decoded. */
async function* histories({ temporal }: FaultStack): AsyncGenerator<SearchedText> {
  const codec = new EncryptionCodec(loadSandboxConfig({}).secrets.codecKeys);
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    yield { place: `history of ${workflowId}`, content: Buffer.from(historyToJSON(history)) };
    const decoded = codec.read(payloadsIn(history));
    const texts = decoded.map(({ data }) => Buffer.from(data ?? []));
    yield { place: `decoded history of ${workflowId}`, content: Buffer.concat(texts) };
  }
}

function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}
