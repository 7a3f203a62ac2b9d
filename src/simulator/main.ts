import { loadSandboxConfig } from '../config';
import { startConfiguredSimulator } from './configured-simulator';

/** Runs the gateway simulator. Settings: `SIMULATOR_*`; data in `DATA_DIR/simulator`. */
async function main(): Promise<void> {
  const simulator = await startConfiguredSimulator(loadSandboxConfig());
  console.log(`gateway simulator ready at ${simulator.url}`);
  const stop = (): void => {
    void simulator.stop().finally(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
}

main().catch((error: unknown) => {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const port = error instanceof Error && 'port' in error ? String(error.port) : '';
  const text = error instanceof Error ? error.message : String(error);
  console.error(
    code === 'EADDRINUSE'
      ? `port ${port} is in use: stop the process that uses it or set SIMULATOR_PORT to another port`
      : `gateway simulator failed to start: ${text}`,
  );
  process.exit(1);
});
