import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';
import type { Payload } from '@temporalio/common';
import { loadConfig } from '../../../src/config';
import { EncryptionCodec } from '../../../src/temporal/codec';
import type { FaultStack } from './fault-stack';
import { CANARY, type Merchant } from './merchant';

/** A place that was searched, with what was in it. */
interface Haystack {
  readonly place: string;
  readonly content: Buffer;
}

export interface Search {
  /** I8: where a card number, a CVV, an API key or a gateway's secret was found; never what. */
  readonly leaks: string[];
  /** Where `known`, which is no secret, was found: the search itself works. */
  readonly sightings: string[];
}

/** Looks for planted secrets in every log, file, table and history of the service. */
export async function searchForSecrets(
  stack: FaultStack,
  merchants: readonly Merchant[],
  known: string,
): Promise<Search> {
  const needles = [
    ...allForms(CANARY.cardPrefix),
    ...allForms(CANARY.secretPrefix),
    ...merchants.flatMap(({ apiKey }) => allForms(apiKey)),
  ];
  const search: Search = { leaks: [], sightings: [] };
  const look = ({ place, content }: Haystack): void => {
    if (needles.some((needle) => content.includes(needle))) search.leaks.push(place);
    if (content.includes('cvv') && CVV.test(content.toString('latin1'))) search.leaks.push(`${place} (CVV)`);
    if (content.includes(known)) search.sightings.push(place);
  };
  for (const file of filesOf(stack)) look({ place: file, content: readFileSync(file) });
  for (const table of await tables(stack)) look(table);
  for await (const history of histories(stack)) look(history);
  return search;
}

/** A field called cvv with digits in it, as JSON or as any text would have it: three digits alone are everywhere. */
const CVV = /\bcvv\\?["']?\s*[:=]\s*\\?["']?\d{3,4}\b/;

/** As text, and as it looks inside base64 at each of the three offsets. */
function allForms(secret: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from('x'.repeat(offset) + secret).toString('base64');
    // The first and last characters also hold bits of the neighbours.
    return encoded.slice(offset === 0 ? 0 : offset + 1, -4);
  });
  return [secret, ...inBase64];
}

/** Logs, Postgres' cluster with its write-ahead log, Temporal's database. The gateways' own books are not ours. */
function filesOf({ order }: FaultStack): string[] {
  const placeFile = join(order.folder, 'postgres-place.json');
  const outside = existsSync(placeFile)
    ? [(JSON.parse(readFileSync(placeFile, 'utf8')) as { folder: string }).folder]
    : [];
  return [order.folder, ...outside]
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((file) => !file.startsWith(join(order.folder, 'simulator')))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true);
}

/** Every row of every table, as text: values too large for a page are compressed in the files. */
async function tables({ db }: FaultStack): Promise<Haystack[]> {
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

/** Each workflow's events as stored, then with every payload decoded. */
async function* histories({ temporal }: FaultStack): AsyncGenerator<Haystack> {
  const codec = new EncryptionCodec(loadConfig({}).secrets.codecKeys);
  for await (const { workflowId, runId } of temporal.workflow.list()) {
    const history = await temporal.workflow.getHandle(workflowId, runId).fetchHistory();
    yield { place: `history of ${workflowId}`, content: Buffer.from(historyToJSON(history)) };
    const decoded = await codec.decode(payloadsIn(history));
    const texts = decoded.map(({ data }) => Buffer.from(data ?? []));
    yield { place: `decoded history of ${workflowId}`, content: Buffer.concat(texts) };
  }
}

function payloadsIn(value: unknown): Payload[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if ('metadata' in value && 'data' in value && value.data instanceof Uint8Array) return [value as Payload];
  return Object.values(value).flatMap(payloadsIn);
}
