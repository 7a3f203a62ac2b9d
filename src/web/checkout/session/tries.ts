import { ApiFailure } from '../../api/failure';
import { newKey } from '../../api/request-keys';
import { forgetSession, keepSession, readKeptSession, type KeptSession } from './stored-session';
import { lookAt, pay, type Purchase, type Session } from './session-api';

const LOOKS = 4;
const FIRST_PAUSE_MS = 700;

/** What is known of a try after it. */
export interface Tried {
  /** Null: nobody can be asked. */
  readonly session: Session | null;
  /** Why nothing was made of it, or why nobody can tell; null when what it came to is in the session. */
  readonly refusal: ApiFailure | null;
}

/**
 * The session of this tab and its tries to pay. A try has a key until its answer is known: a second click, a lost answer
 * and a reload send the same key again, so that nothing is charged twice.
 */
export class Tries {
  private kept: KeptSession | null = readKeptSession();
  private paying: Promise<Tried> | null = null;

  get token(): string | null {
    return this.kept?.token ?? null;
  }

  /** Whether something may have been charged that nobody has heard of: then nobody may begin anew. */
  get isOpen(): boolean {
    return this.kept !== null && this.kept.open !== null;
  }

  get isPaying(): boolean {
    return this.paying !== null;
  }

  begin({ token }: Session): void {
    this.keep({ token, open: null });
  }

  forget(): void {
    this.kept = null;
    forgetSession();
  }

  /** Throws `ApiFailure`. */
  async look(): Promise<Session> {
    const session = await lookAt(this.token ?? '');
    if (!this.isPaying) this.settle(session);
    return session;
  }

  /** One at a time: who asks again meanwhile gets the same answer. Throws `ApiFailure` when the session is over. */
  pay(session: Session, purchase: Purchase): Promise<Tried> {
    this.paying ??= this.attempt(session, purchase).finally(() => {
      this.paying = null;
    });
    return this.paying;
  }

  private async attempt({ token, tries_left: triesLeft }: Session, purchase: Purchase): Promise<Tried> {
    const open = this.kept?.open ?? { key: newKey(), triesLeft };
    this.keep({ token, open });
    try {
      await pay(token, open.key, purchase);
    } catch (error) {
      return this.afterRefusal(token, error instanceof ApiFailure ? error : new ApiFailure({ status: null }));
    }
    const session = await lookUntilAnswered(token);
    if (session === null) return { session, refusal: new ApiFailure({ status: null }) };
    this.keep({ token, open: null });
    return { session, refusal: null };
  }

  private async afterRefusal(token: string, refusal: ApiFailure): Promise<Tried> {
    // Of another try, which is in the session: one whose answer was lost, or one of another tab.
    const isOfAnother = refusal.code === 'idempotency_key_reused' || refusal.code === 'session_used';
    if (!refusal.isOpen) this.keep({ token, open: null });
    if (!refusal.isOpen && !isOfAnother) return { session: null, refusal };
    const session = await lookUntilAnswered(token);
    if (session === null) return { session, refusal };
    return { session, refusal: isOfAnother || this.settle(session) ? null : refusal };
  }

  /** The key is done with once the session knows of the try. */
  private settle({ token, tries_left: triesLeft }: Session): boolean {
    const open = this.kept?.open ?? null;
    if (open !== null && triesLeft >= open.triesLeft) return false;
    this.keep({ token, open: null });
    return true;
  }

  private keep(kept: KeptSession): void {
    this.kept = kept;
    keepSession(kept);
  }
}

/** Null when nobody answers. Throws `ApiFailure` when the session is over. */
async function lookUntilAnswered(token: string): Promise<Session | null> {
  for (let look = 1; ; look += 1) {
    try {
      return await lookAt(token);
    } catch (error) {
      if (error instanceof ApiFailure && !error.isOpen) throw error;
      if (look === LOOKS) return null;
      await new Promise((resolve) => setTimeout(resolve, FIRST_PAUSE_MS * 2 ** (look - 1)));
    }
  }
}
