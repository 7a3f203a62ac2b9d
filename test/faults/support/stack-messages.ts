import type { ProcessIdentity } from '../../../src/dev/process-identity';

export const PROCESS_NAMES = ['postgres', 'temporal', 'simulator', 'worker', 'worker-2', 'api'] as const;
export type FaultProcessName = (typeof PROCESS_NAMES)[number];

/** The service's own programs, which connect to Postgres and Temporal. */
export const PROXIED_PROGRAMS = ['api', 'worker', 'worker-2'] as const;
export type ProxiedProgram = (typeof PROXIED_PROGRAMS)[number];

export type PerServer<T> = Readonly<Record<'postgres' | 'temporal', T>>;

/** What the stack's process starts; its only argument, as JSON. */
export interface FaultStackSpec {
  readonly folder: string;
  readonly ports: PerServer<number> & Readonly<Record<'simulator' | 'api', number>>;
  /** Environment variables of the service's own programs. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ports of proxies that a program uses instead of the servers' own. */
  readonly proxyPorts: Readonly<Partial<Record<ProxiedProgram, PerServer<number>>>>;
}

/** From the stack's process to its parent. */
export type FaultStackMessage =
  | { readonly started: { readonly name: FaultProcessName; readonly identity: ProcessIdentity } }
  | { readonly ready: { readonly databaseUrl: string } }
  | { readonly failed: string };
