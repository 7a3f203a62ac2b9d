import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';
import type { Load, LoadResult } from './load';

/** The ways to pay that are measured: `capture` is a card payment that is authorized and then captured. */
export const PAYMENT_KINDS = ['card', 'pix', 'capture'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** Payments over the engine's API. */
export interface PaymentTarget {
  readonly kind: PaymentKind;
  readonly apiUrl: string;
  readonly clientId: string;
  readonly apiKey: string;
  readonly simulatorUrl: string;
  readonly databaseUrl: string;
}

/** Whom a load process calls. */
export type LoadTarget =
  | PaymentTarget
  | {
      readonly kind: 'subscription';
      readonly apiUrl: string;
      readonly clientId: string;
      readonly apiKey: string;
    }
  | { readonly kind: 'floor'; readonly url: string }
  | { readonly kind: 'bare'; readonly temporalAddress: string; readonly taskQueue: string };

export type LoadAnswer = { readonly result: LoadResult } | { readonly failed: string };

/** A load generator in a process of its own, so that its work is not the measured processes'. */
export interface LoadProcess {
  readonly pid: number;
  run(load: Load): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startLoadProcess(target: LoadTarget): LoadProcess {
  const child = fork(
    join(projectRoot, 'test', 'bench', 'support', 'load-main.ts'),
    [JSON.stringify(target)],
    {
      execArgv: ['--import', require.resolve('tsx')],
    },
  );
  if (child.pid === undefined) throw new Error('the load generator does not start');
  const ended = once(child, 'exit');
  return {
    pid: child.pid,
    async run(load) {
      child.send(load);
      const died = ended.then(() => Promise.reject(new Error('the load generator ended')));
      const [answer] = (await Promise.race([once(child, 'message'), died])) as [LoadAnswer];
      if ('failed' in answer) throw new Error(`${target.kind}: ${answer.failed}`);
      return answer.result;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
