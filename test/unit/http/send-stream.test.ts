import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express from 'express';
import { sendStream } from '../../../src/http/server/send-stream';

const STALL_TIMEOUT_MS = 300;
const CHUNK = 'x'.repeat(64 * 1024);

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A server that sends these chunks, and records how many it made and whether it ended. */
async function serve(chunks: () => AsyncGenerator<string>) {
  const state = { made: 0, ended: false };
  async function* observed(): AsyncGenerator<string> {
    try {
      for await (const chunk of chunks()) {
        state.made += 1;
        yield chunk;
      }
    } finally {
      state.ended = true;
    }
  }
  const app = express();
  app.get('/', (_req, res) =>
    sendStream(res, { type: 'text/csv; charset=utf-8', chunks: observed() }, STALL_TIMEOUT_MS),
  );
  app.use(((_error, req, res, _next) => {
    if (res.headersSent) req.socket.destroy();
    else res.status(503).end();
  }) satisfies express.ErrorRequestHandler);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { state, port: (server.address() as AddressInfo).port };
}

async function* endless(): AsyncGenerator<string> {
  while (true) yield CHUNK;
}

async function request(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  return socket;
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(setImmediate);
}

describe('a streamed body', () => {
  it('is made no faster than the client reads, and ends when the client has read nothing for too long', async () => {
    const { state, port } = await serve(endless);
    const startedAt = performance.now();
    const socket = await request(port);
    socket.pause();
    await until(() => state.ended);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(STALL_TIMEOUT_MS - 5);
    // What the buffers of two sockets hold, and not more.
    expect(state.made * CHUNK.length).toBeLessThan(32 * 1024 * 1024);
    socket.destroy();
  });

  it('ends when the client disconnects', async () => {
    const { state, port } = await serve(endless);
    const socket = await request(port);
    await once(socket, 'data');
    socket.destroy();
    await until(() => state.ended);
  });

  it('ends when the client disconnects while no row passes the filter', async () => {
    const { state, port } = await serve(async function* () {
      yield 'header\r\n';
      while (true) {
        await new Promise(setImmediate);
        yield '';
      }
    });
    const socket = await request(port);
    await once(socket, 'data');
    socket.destroy();
    await until(() => state.ended);
  });

  it('is cut off by an error, so that the client does not take it for complete', async () => {
    const { port } = await serve(async function* () {
      yield 'header\r\n';
      throw new Error('database lost');
    });
    const received = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
    await expect(received).rejects.toThrow();
  });

  it('has the error’s status if there is an error before the first chunk', async () => {
    const { port } = await serve(async function* () {
      throw new Error('database lost');
      yield '';
    });
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(503);
  });

  it('arrives whole, with its type', async () => {
    const { port, state } = await serve(async function* () {
      yield* ['header\r\n', '', 'é\r\n'];
    });
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe('header\r\né\r\n');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(state.ended).toBe(true);
  });
});
