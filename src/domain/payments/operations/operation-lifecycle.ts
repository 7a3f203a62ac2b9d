import type { AttemptStatus } from '../payment';

const DONE: readonly AttemptStatus[] = ['approved', 'canceled', 'refunded'];
const SENT: readonly AttemptStatus[] = [
  ...DONE,
  'requested',
  'unknown',
  'accepted',
  'declined',
  'error',
  'abandoned',
];

/**
 * The transition table of a capture, cancel or refund. An accepted one is never `unknown` for lack of an answer: only a
 * refusal of one that nobody requested makes it a question. What was recorded as not made may have been made after all.
 */
const TRANSITIONS: Readonly<Record<AttemptStatus, readonly AttemptStatus[]>> = {
  requested: ['sent', 'error'],
  sent: SENT,
  unknown: SENT,
  accepted: [...DONE, 'declined', 'unknown', 'requested', 'abandoned'],
  declined: [...DONE, 'accepted'],
  error: [...DONE, 'accepted'],
  abandoned: [...DONE, 'accepted'],
  approved: [],
  canceled: [],
  refunded: [],
  authorized: [],
  pending: [],
};

export function canOperationBecome(from: AttemptStatus, to: AttemptStatus): boolean {
  return TRANSITIONS[from].includes(to);
}
