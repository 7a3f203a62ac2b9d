import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { decode, encode, type Answer } from 'dns-packet';

/** A name server that answers what it is told to. */
export interface DnsServer {
  /** For a resolver's list of servers. */
  readonly address: string;
  /** How often a name was asked for. */
  asked(name: string): number;
  close(): void;
}

/** `answers` gives a name's addresses, by how often it was asked for before: that is what rebinding is. */
export async function startDnsServer(
  answers: (name: string, before: number) => readonly string[],
): Promise<DnsServer> {
  const counts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const query = decode(message);
    const [question] = query.questions ?? [];
    if (question === undefined) return;
    const { name, type } = question;
    const before = counts.get(name) ?? 0;
    // Each look-up asks for both kinds.
    if (type === 'AAAA') counts.set(name, before + 1);
    const found = answers(name, before).filter((ip) => isIPv4(ip) === (type === 'A'));
    const records = found.map((data) => ({ type, name, ttl: 0, data }) as Answer);
    const flags = 0x8180;
    const response = encode({
      type: 'response',
      ...(query.id === undefined ? {} : { id: query.id }),
      flags,
      questions: [question],
      answers: records,
    });
    socket.send(response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: (name) => counts.get(name) ?? 0,
    close: () => void socket.close(),
  };
}
