import { loadConfig } from './config';
import { createDataConverter, createTemporalClient } from './temporal/client';
import { WorkerDeployment } from './temporal/worker-deployment';

const USAGE = 'usage: npm run deployment -- show | promote | retire BUILD_ID';
/** New containers have to be pulled and started. */
const WORKERS_WITHIN_MS = 300_000;
const MOVED_WITHIN_MS = 600_000;

/** `npm run deployment`: the builds whose workers run side by side (docs/operations/deploying.md). */
async function main([command, argument]: readonly string[]): Promise<void> {
  const { temporal, secrets } = loadConfig();
  if (temporal.address === undefined) throw new Error('TEMPORAL_ADDRESS is not set');
  const client = createTemporalClient(
    { address: temporal.address, namespace: temporal.namespace },
    createDataConverter(secrets.codecKeys),
  );
  const deployment = new WorkerDeployment(client, temporal.taskQueue);
  try {
    switch (command) {
      case 'show':
        for (const { buildId, state } of await deployment.builds()) console.log(`${buildId} ${state}`);
        return;
      case 'promote':
        if (temporal.buildId === null) throw new Error('BUILD_ID is not set');
        await deployment.promote(temporal.buildId, WORKERS_WITHIN_MS);
        console.log(`${temporal.buildId} is the current build`);
        return;
      case 'retire': {
        if (argument === undefined) throw new Error(USAGE);
        const moved = await deployment.moveOpenRuns(argument, MOVED_WITHIN_MS);
        console.log(`${moved} open runs of ${argument} moved; its workers can be stopped`);
        return;
      }
      default:
        throw new Error(USAGE);
    }
  } finally {
    await client.connection.close();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
