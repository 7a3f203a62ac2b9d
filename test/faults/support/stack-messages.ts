import type { ProcessIdentity } from '../../../src/local/process-identity';

export const PARTS = ['postgres', 'temporal', 'simulator', 'worker', 'worker-2', 'api'] as const;
export type PartName = (typeof PARTS)[number];

/** What the stack's process is to start, as its only argument. */
export interface StackOrder {
  readonly folder: string;
  readonly ports: Readonly<Record<'postgres' | 'temporal' | 'simulator' | 'api', number>>;
  /** Our own programs' environment. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ports of proxies that our own programs are to use in place of the servers' own. */
  readonly seenThrough?: { readonly postgres: number; readonly temporal: number };
}

export type StackMessage =
  | { readonly started: { readonly name: PartName; readonly identity: ProcessIdentity } }
  | { readonly ready: { readonly databaseUrl: string } }
  | { readonly failed: string };
