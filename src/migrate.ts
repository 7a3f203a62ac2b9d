import { Connection } from '@temporalio/client';
import { loadConfig } from './config';
import { migrate } from './persistence/sql/migrator';
import { setUpTemporal } from './temporal/setup';

/** `npm run migrate`: migrates the database schema and sets up the Temporal namespace. Run it before deploying new code. */
async function main(): Promise<void> {
  const { databaseUrl, temporal, mode } = loadConfig();
  if (databaseUrl === undefined) throw new Error('DATABASE_URL is not set');
  if (temporal.address === undefined) throw new Error('TEMPORAL_ADDRESS is not set');
  const steps = await migrate(databaseUrl, mode);
  console.log(steps.length === 0 ? 'the schema is up to date' : `migrated: ${steps.join(', ')}`);
  const connection = await Connection.connect({ address: temporal.address });
  try {
    await setUpTemporal(connection, temporal.namespace);
    console.log(`the namespace ${temporal.namespace} is set up`);
  } finally {
    await connection.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
