import { randomUUID } from 'node:crypto';
import type { ContractOperation } from '../../../src/http/server/contract';
import type { OperationId } from '../../../src/http/server/operation';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/stack/webhook-receiver';
import { startEngineApi, type EngineApi } from '../support/engine-api';
import { contract } from '../support/contract';
import {
  acquireBelongings,
  clientFor,
  rowsOf,
  wrongClientFor,
  type AnyAnswer,
  type Belongings,
} from './company-resources';
import { FIGURES, NAMED, NEVER, OPEN, QUERIES, WRITES } from './coverage';
import { exampleBody, parametersOf, requestFor, type Owner } from './requests';

/*
 * Nothing crosses a company: every operation of the contract is asked for one company's things with another's
 * credentials. What to ask comes from the contract; an operation that could reach something in a way this file does not
 * know fails until coverage.ts tells how.
 */

let api: EngineApi;
let receiver: WebhookReceiver;
let ours: Belongings;
let theirs: Belongings;
let before: Record<string, string[]>;
const answersToTheirs = new Map<OperationId, AnyAnswer>();

beforeAll(async () => {
  [api, receiver] = await Promise.all([startEngineApi(), startWebhookReceiver()]);
  ours = await acquireBelongings(api, receiver.url, 'gateway_2');
  theirs = await acquireBelongings(api, receiver.url, 'gateway_3');
  for (const operation of keyed) answersToTheirs.set(operation.id, await keyedRequest(theirs, operation));
  before = await rowsOf(api.engine, theirs.companyId);
}, 60_000);
afterAll(async () => {
  receiver.close();
  await api.stop();
});

const guarded = contract.operations.filter(({ auth }) => auth !== 'none');
const onIds = guarded.filter(({ path }) => path.includes('{'));
const others = guarded.filter(({ path }) => !path.includes('{'));
const reads = others.filter(({ method }) => method === 'get');
const writes = others.filter(({ method }) => method !== 'get');
const keyed = writes.filter(({ takesIdempotencyKey }) => takesIdempotencyKey);

/** The contract's example, under a key that is the same whoever sends it. */
function keyedRequest(owner: Belongings, operation: ContractOperation): Promise<AnyAnswer> {
  const headers = { 'Idempotency-Key': `key-for-${operation.id}` };
  return clientFor(owner, operation)(operation.id, { body: exampleBody(operation, owner), headers });
}

/** What an answer tells, apart from the request's own id. */
function told({ status, body }: AnyAnswer): unknown {
  return { status, body: { ...(body as object), request_id: '' } };
}

function expectNothingOf({ marks }: Belongings, answer: unknown): void {
  const text = JSON.stringify(answer);
  expect(marks.filter((mark) => text.includes(mark))).toEqual([]);
}

describe('the walk', () => {
  it('knows every operation that makes or changes something without an id in its path', () => {
    expect(writes.map(({ id }) => id).sort()).toEqual(Object.keys(WRITES).sort());
  });

  it('knows what every id in a path names, and no path that is gone', () => {
    const places = onIds.flatMap((operation) => parametersOf(operation).map(([, place]) => place));
    expect([...new Set(places)].sort()).toEqual(Object.keys(NAMED).sort());
  });

  it('knows why the operations that need no credentials tell nothing', () => {
    const open = contract.operations.filter(({ auth }) => auth === 'none');
    expect(open.map(({ id }) => id).sort()).toEqual(Object.keys(OPEN).sort());
  });
});

describe.each(guarded.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const request = () =>
    requestFor(
      operation,
      parametersOf(operation).map(() => theirs),
    );

  it('is 401 without credentials, and with those of the other kind', async () => {
    const answers = [
      await api.anonymous(id, request()),
      await wrongClientFor(theirs, operation)(id, request()),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
  });
});

describe.each(onIds.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  const count = parametersOf(operation).length;
  const all = (owner: Owner): Owner[] => Array.from({ length: count }, () => owner);
  /** Under something of our own, the last id another's. */
  const last = (owner: Owner): Owner[] => [...all(ours).slice(1), owner];

  it('answers for another company’s ids as for ids that never were: 404, to the letter', async () => {
    const client = clientFor(ours, operation);
    const owners = [all('never'), all(theirs), last('never'), last(theirs)];
    const answers: unknown[] = [];
    for (const each of owners) answers.push(told(await client(id, requestFor(operation, each))));
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(answers.slice(1)).toEqual(Array(3).fill(answers[0]));
  });
});

describe.each(reads.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('shows nothing of another company, whatever it is asked for', async () => {
    const client = clientFor(ours, operation);
    for (const query of [{}, ...(QUERIES[id]?.(theirs) ?? [])]) {
      const answer = await client(id, { query });
      expect(answer.status).toBe(200);
      expectNothingOf(theirs, answer.body);
    }
  });
});

const naming = reads.filter(({ id }) => FIGURES[id] === undefined);
describe.each(naming.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('shows what is the company’s own, so that showing nothing means something', async () => {
    const { body } = await clientFor(ours, operation)(id);
    const text = JSON.stringify(body);
    expect([...ours.marks, receiver.url].filter((mark) => text.includes(mark))).not.toEqual([]);
  });
});

describe.each(writes.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('takes what another company’s body names for what never was: 422 on that field, to the letter', async () => {
    const client = clientFor(ours, operation);
    const bodiesOf = WRITES[id] ?? (() => []);
    const never = bodiesOf(NEVER, ours);
    for (const [index, [field, body]] of bodiesOf(theirs, ours).entries()) {
      const answer = told(await client(id, { body }));
      expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(Array) } } });
      expect(told(await client(id, { body: never[index]?.[1] }))).toEqual(answer);
    }
  });
});

describe.each(keyed.map((operation) => [operation.id, operation] as const))('%s', (id, operation) => {
  it('takes an idempotency key that another company used for the same request for a new one', async () => {
    const answer = await keyedRequest(ours, operation);
    expect(answer.status).toBeLessThan(300);
    expect(answer.status).toBe(answersToTheirs.get(id)?.status);
    expect(answer.headers.has('idempotency-replayed')).toBe(false);
    expect(answer.body).not.toEqual(answersToTheirs.get(id)?.body);
    expectNothingOf(theirs, answer.body);
  });
});

describe('after all that', () => {
  it('not a row of the other company is another', async () => {
    expect(Object.values(before).flat().length).toBeGreaterThan(10);
    expect(await rowsOf(api.engine, theirs.companyId)).toEqual(before);
  });

  it('and the same requests find what is one’s own', async () => {
    const deletesLast = [...onIds].sort(({ method }) => (method === 'delete' ? 1 : -1));
    const statuses: Array<[string, number]> = [];
    for (const operation of deletesLast) {
      const request = requestFor(
        operation,
        parametersOf(operation).map(() => theirs),
      );
      const headers = operation.takesIdempotencyKey ? { 'Idempotency-Key': randomUUID() } : {};
      const { status } = await clientFor(theirs, operation)(operation.id, { ...request, headers });
      statuses.push([operation.id, status]);
    }
    expect(statuses.filter(([, status]) => status === 404)).toEqual([]);
  });
});
