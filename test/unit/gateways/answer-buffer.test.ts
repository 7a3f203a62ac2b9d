import type { UnrecognizedAnswer } from '../../../src/domain/routing/unrecognized-answer';
import { AnswerBuffer, type CountedAnswer } from '../../../src/gateways/unrecognized/answer-buffer';

const ANSWER: UnrecognizedAnswer = {
  companyId: 1,
  gateway: 'gateway_1',
  vendor: 'stripe',
  operation: 'charge',
  status: 502,
  contentType: 'text/html',
  shape: 'empty',
  fingerprint: 'f',
  attemptId: null,
  at: new Date(0),
};

/** A buffer whose writes fail while `fails` is set. */
function newBuffer() {
  const written: CountedAnswer[] = [];
  const state = { fails: false };
  const buffer = new AnswerBuffer((counted) => {
    if (state.fails) return Promise.reject(new Error('the database is gone'));
    written.push(counted);
    return Promise.resolve();
  });
  return { buffer, written, state };
}

describe('the buffer of unrecognized answers', () => {
  it('writes equal answers together, with the latest one, and other ones apart', async () => {
    const { buffer, written } = newBuffer();
    for (let second = 0; second < 1_000; second += 1) buffer.report({ ...ANSWER, at: new Date(second) });
    buffer.report({ ...ANSWER, companyId: 2 });
    await buffer.settled();
    expect(written.map(({ answer, count }) => [answer.companyId, +answer.at, count])).toEqual([
      [1, 999, 1_000],
      [2, 0, 1],
    ]);
  });

  it('never fails: an answer that cannot be written is written with the next one', async () => {
    const { buffer, written, state } = newBuffer();
    state.fails = true;
    buffer.report(ANSWER);
    await buffer.settled();
    state.fails = false;
    buffer.report(ANSWER);
    await buffer.settled();
    expect(written.map(({ count }) => count)).toEqual([2]);
  });

  it('keeps a bounded number of answers while they cannot be written', async () => {
    const { buffer, written, state } = newBuffer();
    state.fails = true;
    for (let index = 0; index < 1_000; index += 1) buffer.report({ ...ANSWER, fingerprint: String(index) });
    await buffer.settled();
    state.fails = false;
    buffer.report({ ...ANSWER, fingerprint: '0' });
    await buffer.settled();
    expect(written).toHaveLength(200);
  });
});
