import type { UnrecognizedAnswer } from '../../domain/routing/unrecognized-answer';

/** Where drivers' calls report answers that they do not know. It neither fails nor waits. */
export interface UnrecognizedAnswers {
  report(answer: UnrecognizedAnswer): void;
}

/** The latest of equal answers, and how many there were. */
export interface CountedAnswer {
  readonly answer: UnrecognizedAnswer;
  readonly count: number;
}

/** Different answers that wait to be written; of further ones nothing is kept. */
const MAX_WAITING = 200;

/**
 * Writes reported answers in the background, one after the other, equal ones together: a payment's own recording never waits for
 * it, and an outage with a thousand foreign pages a second costs one statement at a time. An answer that cannot be written waits
 * for the next report; those that wait when the process ends are lost.
 */
export class AnswerBuffer implements UnrecognizedAnswers {
  private readonly waiting = new Map<string, CountedAnswer>();
  private writing: Promise<void> | null = null;

  constructor(private readonly write: (counted: CountedAnswer) => Promise<void>) {}

  report(answer: UnrecognizedAnswer): void {
    this.keep({ answer, count: 1 });
    this.writing ??= this.writeAll();
  }

  /** Resolves when everything that was reported is written, or could not be. */
  async settled(): Promise<void> {
    await this.writing;
  }

  private keep({ answer, count }: CountedAnswer): void {
    const key = keyOf(answer);
    const same = this.waiting.get(key);
    if (same === undefined && this.waiting.size >= MAX_WAITING) return;
    const latest = same !== undefined && same.answer.at > answer.at ? same.answer : answer;
    this.waiting.set(key, { answer: latest, count: count + (same?.count ?? 0) });
  }

  private async writeAll(): Promise<void> {
    // After the call that reports, so that it costs nothing but its shape.
    await Promise.resolve();
    for (let next = this.takeFirst(); next !== null; next = this.takeFirst()) {
      try {
        await this.write(next);
      } catch {
        this.keep(next);
        break;
      }
    }
    this.writing = null;
  }

  private takeFirst(): CountedAnswer | null {
    const [first] = this.waiting;
    if (first === undefined) return null;
    this.waiting.delete(first[0]);
    return first[1];
  }
}

function keyOf({ companyId, gateway, operation, fingerprint }: UnrecognizedAnswer): string {
  return JSON.stringify([companyId, gateway, operation, fingerprint]);
}
