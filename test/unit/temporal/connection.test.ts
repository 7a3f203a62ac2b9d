import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { lazyConnection } from '../../../src/temporal/connection';

let server: Server;
let dropped: Promise<unknown>;
beforeEach(async () => {
  server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  dropped = once(server, 'connection');
  await once(server, 'listening');
});
afterEach(() => server.close());

it('fails a call that waits for its retry when the connection is closed, instead of ending the process', async () => {
  const { port } = server.address() as AddressInfo;
  const connection = lazyConnection(`127.0.0.1:${String(port)}`);
  const call = connection.workflowService.getSystemInfo({});
  const failure = expect(call).rejects.toThrow(/CANCELLED: Channel has been shut down/);
  await dropped;
  await connection.close();
  await failure;
});
