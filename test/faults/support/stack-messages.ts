import type { ProcessIdentity } from '../../../src/dev/process-identity';

export const PARTS = ['postgres', 'temporal', 'simulator', 'worker', 'worker-2', 'api'] as const;
export type ProcessName = (typeof PARTS)[number];

/** Our own programs that talk to Postgres and Temporal. */
export const PROGRAMS = ['api', 'worker', 'worker-2'] as const;
export type ProgramName = (typeof PROGRAMS)[number];

export type Servers<T> = Readonly<Record<'postgres' | 'temporal', T>>;

/** What the stack's process is to start, as its only argument. */
export interface StackOrder {
  readonly folder: string;
  readonly ports: Servers<number> & Readonly<Record<'simulator' | 'api', number>>;
  /** Our own programs' environment. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ports of proxies that a program is to use in place of the servers' own. */
  readonly seenThrough: Readonly<Partial<Record<ProgramName, Servers<number>>>>;
}

export type StackMessage =
  | { readonly started: { readonly name: ProcessName; readonly identity: ProcessIdentity } }
  | { readonly ready: { readonly databaseUrl: string } }
  | { readonly failed: string };
