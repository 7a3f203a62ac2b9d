import { setTimeout as delay } from 'node:timers/promises';

/** What one request was answered; nothing when the connection broke or the client lost its patience. */
export type Answer =
  | { readonly kind: 'none'; readonly why: string; readonly at: number }
  | {
      readonly kind: 'http';
      readonly status: number;
      readonly text: string;
      readonly replayed: boolean;
      readonly retryAfter: string | null;
      readonly at: number;
      readonly tookMs: number;
    };

export type HttpAnswer = Extract<Answer, { kind: 'http' }>;

/** Longer than the service makes a caller wait. */
const PATIENCE_MS = 18_000;
const RESEND_AFTER_MS = 150;
/** Whoever waits has long given up by then, and said what the answers were. */
const GIVE_UP_AFTER_MS = 300_000;

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Sends once. A connection that breaks is an answer. */
export async function send({ method, url, headers = {}, body }: Request): Promise<Answer> {
  const begun = Date.now();
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await response.text();
    return {
      kind: 'http',
      status: response.status,
      text,
      replayed: response.headers.get('idempotency-replayed') === 'true',
      retryAfter: response.headers.get('retry-after'),
      at: Date.now(),
      tookMs: Date.now() - begun,
    };
  } catch (error) {
    return { kind: 'none', why: whyNone(error), at: Date.now() };
  }
}

/** Sends again after every error, timeout and 202, until there is an answer that stays, or `signal` says stop. Each goes to `answers`. */
export async function untilAnswered(
  ask: () => Promise<Answer>,
  answers: Answer[] = [],
  signal?: AbortSignal,
): Promise<Answer> {
  const giveUpAt = Date.now() + GIVE_UP_AFTER_MS;
  for (;;) {
    const answer = await ask();
    answers.push(answer);
    if (isFinal(answer) || signal?.aborted === true || Date.now() > giveUpAt) return answer;
    await delay(RESEND_AFTER_MS);
  }
}

/** The same for what must be answered so, whichever part is just coming back; returns the body. */
export async function expectAnswer<T>(request: Request, status: number): Promise<T> {
  const answer = await untilAnswered(() => send(request));
  if (answer.kind === 'none' || answer.status !== status) {
    throw new Error(`${request.method} ${request.url}: ${describeAnswer(answer)}`);
  }
  return JSON.parse(answer.text) as T;
}

/** The first 200; it is the answer that everybody who asks again must get. */
export function resultIn(answers: readonly Answer[]): HttpAnswer | undefined {
  return answers.find((answer): answer is HttpAnswer => answer.kind === 'http' && answer.status === 200);
}

/** Whether the last answer is a refusal, after which nobody asks again. */
export function isRefused(answers: readonly Answer[]): boolean {
  const last = answers.at(-1);
  return last?.kind === 'http' && last.status >= 400 && last.status < 500;
}

/** How many answers there were, and the last of them. */
export function describeAnswers(answers: readonly Answer[]): string {
  const last = answers.slice(-3).map(describeAnswer);
  return answers.length === 0 ? 'no answer' : `${answers.length} answers, the last: ${last.join(', ')}`;
}

export function describeAnswer(answer: Answer): string {
  return answer.kind === 'none' ? `none (${answer.why})` : `${answer.status} ${answer.text.slice(0, 300)}`;
}

function isFinal(answer: Answer): boolean {
  return answer.kind === 'http' && answer.status !== 202 && answer.status < 500;
}

/** `fetch failed` alone says little: the cause names what the system said. */
function whyNone(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name ?? 'unknown';
}
