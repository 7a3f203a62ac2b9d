import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { ImportCharges } from './application/restore/import-charges';
import { readReportLine } from './application/restore/read-report';
import { createChargeFetcher } from './composition/restore';
import { loadConfig } from './config';
import { GATEWAY_SLUGS } from './domain/shared/gateway-slug';
import { isPlatformSlug } from './gateways/registry';
import { GatewayCallbackRepository } from './persistence/payments/gateway-callback-repository';
import { RestoredChargeRepository } from './persistence/restore/restored-charge-repository';
import { RestoreRepository, type RestoreInProgress } from './persistence/restore/restore-repository';
import { connectDatabase } from './persistence/sql/database';
import { Database } from './persistence/sql/transaction';

const USAGE = `npm run restore -- begin MOMENT        nothing that moves money is sent from now on; MOMENT is the time to which the
                                       database was restored, for example 2026-11-24T12:00:00Z
npm run restore -- import FILE         compares a gateway's charges since then, one JSON object a line, with the payments
npm run restore -- import --gateway SLUG [--since MOMENT]
                                       the same, with the charges that the gateway lists
npm run restore -- status              what is in progress, and which charges wait for a person
npm run restore -- settle ID REASON    a person has decided about a charge; ID may be: all
npm run restore -- finish              payments go on`;
const MOST_SHOWN = 100;
/** How far a gateway's clock may be behind. */
const CLOCK_SKEW_MS = 60_000;

/** `npm run restore`: what follows after the database was restored from a backup (docs/operations/backup-and-restore.md). */
async function main([command, ...args]: readonly string[]): Promise<void> {
  const { databaseUrl } = loadConfig();
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set');
  const db = new Database(connectDatabase(databaseUrl, 2));
  const parts = { db, restores: new RestoreRepository(db), charges: new RestoredChargeRepository(db) };
  try {
    if (command === 'begin') await begin(parts, args[0]);
    else if (command === 'import' && args[0] === '--gateway') await importListed(parts, args);
    else if (command === 'import') await importFile(parts, args[0]);
    else if (command === 'status') await showStatus(parts);
    else if (command === 'settle') await settle(parts, args);
    else if (command === 'finish') await finish(parts);
    else throw new Error(USAGE);
  } finally {
    await db.close();
  }
}

interface Parts {
  readonly db: Database;
  readonly restores: RestoreRepository;
  readonly charges: RestoredChargeRepository;
}

async function begin({ restores }: Parts, moment = ''): Promise<void> {
  const restoredTo = readMoment(moment);
  if (+restoredTo > Date.now()) throw new Error('MOMENT is in the future');
  if ((await restores.begin(restoredTo, new Date())) === null)
    throw new Error('a restore is in progress already');
  await restores.skipNumbers();
  console.log('begun: requests that move money are answered 503, and nothing that moves money is sent');
}

function readMoment(text = ''): Date {
  const moment = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(+moment))
    throw new Error(`MOMENT must be a time with its zone\n\n${USAGE}`);
  return moment;
}

/** A wrong line ends the import. It can be repeated: a charge that was imported is compared again. */
async function importFile({ db, restores, charges }: Parts, file?: string): Promise<void> {
  if (file === undefined) throw new Error(USAGE);
  const restore = await inProgress(restores);
  const importCharges = importer(db, charges);
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1;
    if (line.trim() !== '') await importCharges.execute(restore.id, readLine(line, number));
  }
  await restores.markImported(restore.id, new Date());
  await show(charges, restore);
}

/** Lists the charges of all accounts at a gateway. If it fails, it goes on where it was when it is repeated. */
async function importListed({ db, restores, charges }: Parts, args: readonly string[]): Promise<void> {
  const [, name, sinceName, moment, ...others] = args;
  const slug = GATEWAY_SLUGS.find((known) => known === name);
  if (slug === undefined || others.length > 0 || (sinceName !== undefined && sinceName !== '--since'))
    throw new Error(`--gateway must be one of ${GATEWAY_SLUGS.join(', ')}\n\n${USAGE}`);
  const restore = await inProgress(restores);
  const since =
    sinceName === undefined ? new Date(restore.restoredTo.getTime() - CLOCK_SKEW_MS) : readMoment(moment);
  const fetcher = createChargeFetcher(loadConfig(), db, importer(db, charges));
  try {
    if (!fetcher.canList(slug)) throw new Error(`${slug} cannot list charges: import a file`);
    const hasPlatform = isPlatformSlug(slug);
    const count = await fetcher.fetchCharges.execute(restore.id, slug, { since, hasPlatform });
    console.log(`listed: ${count}`);
  } finally {
    await fetcher.close();
  }
  await restores.markImported(restore.id, new Date());
  await show(charges, restore);
}

function importer(db: Database, restoredCharges: RestoredChargeRepository): ImportCharges {
  const callbacks = new GatewayCallbackRepository(db);
  return new ImportCharges({ restoredCharges, callbacks, now: () => new Date() });
}

function readLine(line: string, number: number): ReturnType<typeof readReportLine> {
  try {
    return readReportLine(line);
  } catch (error) {
    throw new Error(`line ${number}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function showStatus({ restores, charges }: Parts): Promise<void> {
  const restore = await restores.findInProgress();
  if (restore === null) return console.log('no restore is in progress');
  console.log(`restored to ${restore.restoredTo.toISOString()}, begun at ${restore.begunAt.toISOString()}`);
  await show(charges, restore);
}

async function show(charges: RestoredChargeRepository, { id }: RestoreInProgress): Promise<void> {
  for (const { state, count } of await charges.countByState(id)) console.log(`${state}: ${count}`);
  for (const waiting of await charges.listWaiting(id, MOST_SHOWN)) {
    const { gateway, gatewayTransactionId, reference, amountCents, problem } = waiting;
    console.log(
      `${waiting.id}: ${gateway} ${gatewayTransactionId}, ${reference}, ${amountCents}: ${problem}`,
    );
  }
}

async function settle({ restores, charges }: Parts, [id = '', ...words]: readonly string[]): Promise<void> {
  const reason = words.join(' ').trim();
  if ((id !== 'all' && !/^\d{1,15}$/.test(id)) || reason === '') throw new Error(USAGE);
  const restore = await inProgress(restores);
  const count = await charges.settle(restore.id, id === 'all' ? null : Number(id), reason, new Date());
  if (count === 0) throw new Error('no such charge waits');
  console.log(`settled: ${count}`);
}

async function finish({ restores, charges }: Parts): Promise<void> {
  const restore = await inProgress(restores);
  if (restore.importedAt === null) throw new Error('nothing was imported yet; an empty file counts');
  const [waiting] = await charges.listWaiting(restore.id, 1);
  if (waiting !== undefined)
    throw new Error('charges wait for a person: import again, or settle each with a reason');
  await restores.finish(restore.id, new Date());
  console.log('finished: payments go on within seconds');
}

async function inProgress(restores: RestoreRepository): Promise<RestoreInProgress> {
  const restore = await restores.findInProgress();
  if (restore === null) throw new Error('no restore is in progress');
  return restore;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
