import { loadConfig } from './config';
import { connectDatabase } from './persistence/sql/database';
import { Database } from './persistence/sql/transaction';
import { RestoreRepository } from './persistence/restore/restore-repository';

const USAGE = `npm run restore -- begin MOMENT   nothing that moves money is sent from now on; MOMENT is the time to which the
                                  database was restored, for example 2026-11-24T12:00:00Z
npm run restore -- status         what is in progress
npm run restore -- finish         payments go on`;

/** `npm run restore`: what follows after the database was restored from a backup (docs/operations/backup-and-restore.md). */
async function main([command, argument]: readonly string[]): Promise<void> {
  const { databaseUrl } = loadConfig();
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set');
  const db = new Database(connectDatabase(databaseUrl, 2));
  try {
    const restores = new RestoreRepository(db);
    if (command === 'begin') await begin(restores, argument);
    else if (command === 'status') await showStatus(restores);
    else if (command === 'finish') await finish(restores);
    else throw new Error(USAGE);
  } finally {
    await db.close();
  }
}

async function begin(restores: RestoreRepository, moment = ''): Promise<void> {
  const restoredTo = new Date(moment);
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(moment) || Number.isNaN(+restoredTo))
    throw new Error(`MOMENT must be a time with its zone\n\n${USAGE}`);
  if (+restoredTo > Date.now()) throw new Error('MOMENT is in the future');
  if ((await restores.begin(restoredTo, new Date())) === null)
    throw new Error('a restore is in progress already');
  console.log('begun: requests that move money are answered 503, and nothing that moves money is sent');
}

async function showStatus(restores: RestoreRepository): Promise<void> {
  const restore = await restores.findInProgress();
  console.log(
    restore === null
      ? 'no restore is in progress'
      : `restored to ${restore.restoredTo.toISOString()}, begun at ${restore.begunAt.toISOString()}`,
  );
}

async function finish(restores: RestoreRepository): Promise<void> {
  const restore = await restores.findInProgress();
  if (restore === null) throw new Error('no restore is in progress');
  await restores.finish(restore.id, new Date());
  console.log('finished: payments go on within seconds');
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
