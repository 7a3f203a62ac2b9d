import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody's web server, on this machine. */
export interface PictureHost {
  /** An address there that answers like this, and counts how often it was asked. */
  serve(answer: (response: ServerResponse) => void): { readonly url: string; readonly asked: () => number };
  close(): void;
}

export async function startPictureHost(): Promise<PictureHost> {
  const answers: Array<(response: ServerResponse) => void> = [];
  const asked: number[] = [];
  const server = createServer((request, response) => {
    const number = Number(request.url?.slice(1));
    asked[number] = (asked[number] ?? 0) + 1;
    answers[number]?.(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    serve: (answer) => {
      const number = answers.push(answer) - 1;
      return { url: `http://127.0.0.1:${port}/${number}`, asked: () => asked[number] ?? 0 };
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Sends bytes as a web server would, whatever it says of them. */
export const sending =
  (bytes: Buffer, contentType = 'image/png', status = 200) =>
  (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': contentType }).end(bytes);
  };
