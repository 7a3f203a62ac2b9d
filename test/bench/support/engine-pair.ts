import type { BenchProcesses, BenchProcessName } from './bench-processes';

type Settings = Readonly<Record<string, string>>;

export interface PairNames {
  readonly api: BenchProcessName;
  readonly worker: BenchProcessName;
}

export interface PairSettings {
  readonly api: Settings;
  readonly worker: Settings;
}

/** Starts an API and a worker of the service, and waits until both are ready. */
export async function startEnginePair(
  processes: BenchProcesses,
  names: PairNames,
  { api, worker }: PairSettings,
  workerRuns: () => Promise<boolean>,
  nodeFlags: readonly string[] = [],
): Promise<void> {
  const apiRuns = (): Promise<boolean> => respondsOk(`http://127.0.0.1:${api.PORT}/health/live`);
  await Promise.all([
    processes.startProgram(names.worker, 'src/worker', worker, workerRuns, nodeFlags),
    processes.startProgram(names.api, 'src/api', api, apiRuns, nodeFlags),
  ]);
}

export async function respondsOk(url: string): Promise<boolean> {
  return (await fetch(url, { signal: AbortSignal.timeout(5_000) })).ok;
}
