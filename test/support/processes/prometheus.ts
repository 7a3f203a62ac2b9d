import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { freePort } from '../../../src/dev/ports';
import { waitFor } from '../stack/wait-for';

/** The file that `PROMTOOL` names; undefined if it names none. */
export const namedPromtool = process.env.PROMTOOL;

/** The program that checks Prometheus' rules: the named one, else that in the PATH (of Debian's package `prometheus`). Null without one. */
export function findPromtool(): string | null {
  if (namedPromtool !== undefined) return namedPromtool;
  return findProgram('promtool');
}

/** The server, in the folder of promtool or in the PATH. Null without one. */
export function findPrometheus(): string | null {
  if (namedPromtool === undefined) return findProgram('prometheus');
  const file = join(dirname(namedPromtool), 'prometheus');
  return existsSync(file) ? file : null;
}

function findProgram(name: string): string | null {
  const files = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));
  return files.find((file) => existsSync(file)) ?? null;
}

export type AlertState = 'pending' | 'firing';

export interface RunningPrometheus {
  /** The alerts whose condition is true now, by name. One that has to last stays `pending` for that time. */
  alerts(): Promise<ReadonlyMap<string, AlertState>>;
  /** The values of an expression now, by the series' labels as JSON. */
  query(expression: string): Promise<ReadonlyMap<string, number>>;
  stop(): Promise<void>;
}

/** Starts a Prometheus that scrapes these addresses (host:port) every second as the job `payment-engine` and evaluates the rules as often. */
export async function startPrometheus(
  program: string,
  rules: string,
  targets: readonly string[],
): Promise<RunningPrometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'));
  const config = join(folder, 'prometheus.json');
  const job = { job_name: 'payment-engine', static_configs: [{ targets }] };
  const global = { scrape_interval: '1s', evaluation_interval: '1s' };
  writeFileSync(config, JSON.stringify({ global, rule_files: [rules], scrape_configs: [job] }));
  const address = `127.0.0.1:${await freePort()}`;
  const storage = `--storage.tsdb.path=${join(folder, 'data')}`;
  const child = spawn(program, [`--config.file=${config}`, storage, `--web.listen-address=${address}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const end = (): boolean => child.kill('SIGKILL');
  process.once('exit', end);
  const gone = once(child, 'exit');
  const read = async <T>(path: string): Promise<T> => {
    if (child.exitCode !== null) throw new Error(`prometheus ended: ${output}`);
    const response = await fetch(`http://${address}/api/v1/${path}`);
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return ((await response.json()) as { data: T }).data;
  };
  await waitFor(() => read('query?query=up'), { what: 'prometheus', withinMs: 20_000, everyMs: 100 });
  return {
    async alerts() {
      const { alerts } = await read<{
        alerts: ReadonlyArray<{ labels: Readonly<Record<string, string>>; state: AlertState }>;
      }>('alerts');
      return new Map(alerts.map(({ labels, state }) => [labels['alertname'] ?? '', state]));
    },
    async query(expression) {
      const { result } = await read<{
        result: ReadonlyArray<{ metric: object; value: readonly [number, string] }>;
      }>(`query?query=${encodeURIComponent(expression)}`);
      return new Map(result.map(({ metric, value }) => [JSON.stringify(metric), Number(value[1])]));
    },
    async stop() {
      process.off('exit', end);
      end();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
