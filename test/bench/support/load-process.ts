import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { projectRoot } from '../../../src/paths';
import type { ApiCredentials } from '../../support/merchant/company';
import type { Load, LoadResult } from './load';

/** The kinds of payment that are measured. `capture` is a card payment that is authorized and then captured. */
export const PAYMENT_KINDS = ['card', 'pix', 'capture'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/** Payments through the service's API. */
export interface PaymentTarget {
  readonly kind: PaymentKind;
  readonly apiUrl: string;
  readonly credentials: ApiCredentials;
  readonly simulatorUrl: string;
  readonly databaseUrl: string;
}

/** What a load process calls. */
export type LoadTarget =
  | PaymentTarget
  | {
      readonly kind: 'subscription';
      readonly apiUrl: string;
      readonly credentials: ApiCredentials;
    }
  | { readonly kind: 'baseline service'; readonly url: string }
  | { readonly kind: 'bare'; readonly temporalAddress: string; readonly taskQueue: string };

export type LoadAnswer = { readonly result: LoadResult } | { readonly failed: string };

/** A load generator in its own process, so that its CPU use is not counted for the measured processes. */
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
  const exited = once(child, 'exit');
  return {
    pid: child.pid,
    async run(load) {
      child.send(load);
      const died = exited.then(() => Promise.reject(new Error('the load generator exited')));
      const [answer] = (await Promise.race([once(child, 'message'), died])) as [LoadAnswer];
      if ('failed' in answer) throw new Error(`${target.kind}: ${answer.failed}`);
      return answer.result;
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
