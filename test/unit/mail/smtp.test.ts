import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { MailNotSent } from '../../../src/domain/companies/mail';
import { SmtpMailer } from '../../../src/mail/smtp';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly content: string;
}

const received: Received[] = [];
let server: SMTPServer;
let url: string;

beforeAll(async () => {
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'engine' && password === 'secret'
        ? done(null, { user: username })
        : done(new Error('wrong login')),
    onData: (stream, { envelope }, done) => {
      void text(stream).then((content) => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), content });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  url = `smtp://engine:secret@127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
beforeEach(() => void received.splice(0));

const FROM = 'Payments <payments@example.com>';
const mail = { to: 'maria@example.com', subject: 'Olá, João', text: 'A line.\n\n.\n\nAnother.' };

it('sends the message unchanged from the configured sender', async () => {
  await new SmtpMailer({ url, from: FROM, requireTls: false }).send(mail);
  expect(received).toEqual([
    { from: 'payments@example.com', to: ['maria@example.com'], content: expect.any(String) },
  ]);
  const [{ content } = { content: '' }] = received;
  expect(content).toContain('From: Payments <payments@example.com>');
  expect(content).toContain('A line.\r\n\r\n.\r\n\r\nAnother.');
});

it('sends to a single recipient even if the address contains a comma', async () => {
  const to = '"a@evil.example,"@example.com';
  await new SmtpMailer({ url, from: FROM, requireTls: false }).send({ ...mail, to }).catch(() => undefined);
  for (const { to: recipients } of received) expect(recipients).toEqual([to]);
});

it('sends nothing without TLS if TLS is required', async () => {
  await expect(new SmtpMailer({ url, from: FROM, requireTls: true }).send(mail)).rejects.toThrow();
  expect(received).toEqual([]);
});

it('throws if the server rejects the message', async () => {
  const wrong = url.replace('secret', 'wrong');
  await expect(new SmtpMailer({ url: wrong, from: FROM, requireTls: false }).send(mail)).rejects.toThrow();
});

/** Sends to a server that answers each command line so. */
async function sendTo(answer: (line: string, socket: Socket) => void): Promise<unknown> {
  const scripted = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.write('220 ready\r\n');
    socket.on('data', (lines) => {
      for (const line of lines.toString().split('\r\n').filter(Boolean)) answer(line, socket);
    });
  }).listen(0, '127.0.0.1');
  await once(scripted, 'listening');
  const address = `smtp://127.0.0.1:${(scripted.address() as AddressInfo).port}`;
  const failure: unknown = await new SmtpMailer({ url: address, from: FROM, requireTls: false })
    .send(mail)
    .then(
      () => null,
      (error: unknown) => error,
    );
  scripted.close();
  return failure;
}

/** Takes everything up to the message. */
function takeEnvelope(line: string, socket: Socket): void {
  if (/^(?:EHLO|HELO|MAIL|RCPT)/.test(line)) socket.write('250 ok\r\n');
  if (line === 'DATA') socket.write('354 go ahead\r\n');
}

describe('whether a mail was certainly not sent', () => {
  it('is told if no server is there, the login is wrong, or the server asks to try again later', async () => {
    const closed = url.replace(/:\d+$/, ':1');
    const wrong = url.replace('secret', 'wrong');
    for (const refused of [closed, wrong]) {
      const mailer = new SmtpMailer({ url: refused, from: FROM, requireTls: false });
      await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailNotSent);
    }
    const later = await sendTo((line, socket) =>
      line.startsWith('RCPT') ? socket.write('451 try again later\r\n') : takeEnvelope(line, socket),
    );
    expect(later).toBeInstanceOf(MailNotSent);
  });

  it('is not if the connection breaks after the message, which the server may have taken', async () => {
    const broken = await sendTo((line, socket) => {
      takeEnvelope(line, socket);
      if (line === '.') socket.destroy();
    });
    expect(broken).toBeInstanceOf(Error);
    expect(broken).not.toBeInstanceOf(MailNotSent);
  });
});
