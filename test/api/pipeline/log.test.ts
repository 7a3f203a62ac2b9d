import { Writable } from 'node:stream';
import { createLogger } from '../../../src/log';
import { waitFor } from '../../support/stack/wait-for';
import { examplePayment, examplePaymentRequest } from '../support/payment-examples';
import { startTestApi, TEST_KEYS } from '../support/test-api';

function recorder() {
  const lines: Array<Record<string, unknown>> = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { lines, logger: createLogger({ level: 'info', process: 'test', destination }) };
}

describe('a log line', () => {
  it('contains only allowed fields, also from child loggers', () => {
    const { lines, logger } = recorder();
    logger
      .child({ request_id: 'req_1', api_key: 'sk_secret' })
      .info({ status: 200, card: '4111', body: {} }, 'done');
    expect(lines).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        process: 'test',
        request_id: 'req_1',
        status: 200,
        msg: 'done',
      },
    ]);
  });

  it('omits objects in allowed fields and format arguments of the message', () => {
    const { lines, logger } = recorder();
    logger.info({ status: { number: '4111111111111111' } }, 'card %s', '4111111111111111');
    expect(JSON.stringify(lines)).not.toContain('4111111111111111');
  });

  it('describes an error by type, code and stack frames, and masks data in its message', () => {
    const { lines, logger } = recorder();
    const cause = Object.assign(new Error('no row for maria@example.com'), {
      code: '23505',
      parameters: ['123'],
    });
    logger.error(new Error('card 4111 1111 1111 1111 of 529.982.247-25 failed', { cause }));
    logger.error({ err: cause });
    const text = JSON.stringify(lines);
    expect(text).not.toMatch(/4111 |529\.982|maria|parameters/);
    expect(lines[0]).toMatchObject({
      msg: 'error',
      err: { type: 'Error', message: 'card [digits] of [digits] failed', cause: { code: '23505' } },
    });
  });

  it('does not quote the text that a parser could not read', () => {
    const { lines, logger } = recorder();
    try {
      JSON.parse('{"cvv":"973" oops');
    } catch (error) {
      logger.error({ err: error }, 'unreadable answer');
    }
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/\b973\b/);
  });
});

it('every request logs one access line with its route, but never its path, query or body', async () => {
  const api = await startTestApi({
    handlers: { createCardPayment: () => Promise.resolve({ status: 200, body: examplePayment() }) },
  });
  const response = await fetch(`${api.baseUrl}/api/v1/payments/card`, {
    method: 'POST',
    headers: { ...TEST_KEYS, 'Content-Type': 'application/json', 'User-Agent': 'canary-agent' },
    body: JSON.stringify(examplePaymentRequest()),
  });
  await fetch(`${api.baseUrl}/api/v1/payments/canary-4111111111111111?email=maria@example.com`);
  await waitFor(() => Promise.resolve(api.logLines().length >= 2));
  await api.close();

  expect(api.logLines()).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      process: 'api',
      request_id: response.headers.get('x-request-id'),
      method: 'POST',
      route: '/api/v1/payments/card',
      status: 200,
      duration_ms: expect.any(Number),
      company_id: 7,
      msg: 'request',
    },
    expect.objectContaining({ method: 'GET', route: '/api/v1/payments/{id}', status: 401 }),
  ]);
  expect(JSON.stringify(api.logLines())).not.toMatch(/canary|4000000000000010|sk_test|Maria|maria/);
});
