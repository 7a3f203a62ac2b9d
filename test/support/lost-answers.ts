import type { Behavior } from '../../src/gateways/simulator/scripts';

/** Every way an answer is lost: what became of the request is to be found out. `lateMs`: later than anybody waits. */
export const lostAnswers = (lateMs: number) =>
  [
    { drop: 'before' },
    { drop: 'after' },
    { hang: 'before' },
    { hang: 'after' },
    { truncate: true },
    { html: 502 },
    { delay_ms: lateMs },
  ] as const satisfies readonly Behavior[];
