import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { RawCallback } from '../../../src/gateways/callback';
import { SimulatorDriver } from '../../../src/gateways/simulator/driver';
import { callbackBody, type CallbackBody } from '../../../src/gateways/simulator/wire-callback';
import { freePort } from '../../../src/dev/ports';

export interface ReceivedCallback extends RawCallback {
  readonly path: string;
  readonly payload: CallbackBody;
}

/** Stands where the engine's API would be and keeps every callback that comes. */
export interface CallbackReceiver {
  /** For `SIMULATOR_CALLBACK_URL`, or `SimulatorControl.setUpAccount`. */
  readonly url: string;
  readonly received: readonly ReceivedCallback[];
  /** Answers the next callbacks with these statuses; all others get 200. */
  answerNext(...statuses: number[]): void;
  /** Those of one payment. */
  of(transactionId: string): ReceivedCallback[];
  close(): void;
}

/** What the simulator's driver says of a callback's signature. */
export function verifySimulatorCallback(callback: RawCallback, secrets: readonly string[]): string {
  const driver = new SimulatorDriver();
  const reading = driver.readCallback(callback);
  const [hint] = reading.kind === 'hints' ? reading.hints : [];
  return hint === undefined ? reading.kind : driver.verifyCallback(callback, hint, secrets, new Date());
}

export async function startCallbackReceiver(): Promise<CallbackReceiver> {
  const received: ReceivedCallback[] = [];
  const answers: number[] = [];
  const port = await freePort();
  const server = createServer((request, response) => {
    void receive(request).then((callback) => {
      received.push(callback);
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    received,
    answerNext: (...statuses) => void answers.push(...statuses),
    of: (transactionId) => received.filter(({ payload }) => payload.reference.startsWith(transactionId)),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function receive(request: IncomingMessage): Promise<ReceivedCallback> {
  const body = await buffer(request);
  const payload = callbackBody.parse(JSON.parse(body.toString('utf8')));
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  return { path: request.url ?? '', body, headers, query: '', payload };
}
