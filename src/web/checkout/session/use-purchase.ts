import { useCallback, useEffect, useState } from 'react';
import { ApiFailure } from '../../api/failure';
import { problem as problemOfLink, type Problem } from '../pay/billing-address';
import { poll, type Rhythm } from './poll';
import { openSession, type Buyer, type Purchase as PayRequest } from './session-api';
import { stageOf, type Stage } from '../stage';
import { Tries } from './tries';

export interface Purchase {
  readonly stage: Stage;
  /** Whether the page was opened on what is shown: nothing that happened just now. */
  readonly isResumed: boolean;
  /** As long as this page is open; a reload forgets who it was. */
  readonly buyer: Buyer | null;
  /** Whether nobody may begin anew: an answer is missing. */
  readonly isOpen: boolean;
  /** Whether it asks no more by itself what became of it. */
  readonly isTired: boolean;
  /** Throws `ApiFailure`. */
  readonly open: (buyer: Buyer) => Promise<void>;
  /** Why nothing was made of it; null when the stage tells. */
  readonly pay: (request: PayRequest) => Promise<ApiFailure | null>;
  readonly ask: () => Promise<void>;
  readonly changeDetails: () => void;
  readonly beginAnew: () => void;
}

const RHYTHMS: Partial<Record<Stage['kind'], Rhythm>> = {
  waiting: { firstMs: 1_000, longestMs: 10_000, asks: 90 },
  pix: { firstMs: 2_000, longestMs: 15_000, asks: 400 },
};

/** One buyer's way through the page. */
export function usePurchase(): Purchase {
  const [tries] = useState(() => new Tries());
  const [stage, setStage] = useState<Stage>({ kind: 'resuming' });
  const [isResumed, setResumed] = useState(true);
  const [isTired, setTired] = useState(false);
  const [isOpen, setOpen] = useState(tries.isOpen);
  const [buyer, setBuyer] = useState<Buyer | null>(null);

  const move = useCallback((next: Stage) => {
    setResumed(false);
    setTired(false);
    setStage(next);
  }, []);

  const begin = useCallback(() => {
    tries.forget();
    setOpen(false);
    setStage(problemOfLink === null ? { kind: 'details' } : { kind: 'ended', problem: problemOfLink });
  }, [tries]);

  const end = useCallback(
    (error: unknown) => {
      const ending = endingOf(error) ?? 'unavailable';
      if (ending === 'unknown_session') begin();
      else setStage({ kind: 'ended', problem: ending });
    },
    [begin],
  );

  const resume = useCallback(async () => {
    if (tries.token === null) return begin();
    try {
      setStage(stageOf(await tries.look()));
      setOpen(tries.isOpen);
    } catch (error) {
      end(error);
    }
  }, [tries, begin, end]);

  useEffect(() => {
    void resume();
  }, [resume]);

  const { kind } = stage;
  const ask = useCallback(async () => {
    if (tries.isPaying) return;
    try {
      const next = stageOf(await tries.look());
      setOpen(tries.isOpen);
      if (tries.isPaying) return;
      // Where nothing has happened the focus stays where it is.
      if (next.kind === kind) setStage(next);
      else move(next);
      setTired(false);
    } catch (error) {
      if (endingOf(error) !== null) end(error);
    }
  }, [tries, kind, move, end]);

  const rhythm = isTired ? undefined : RHYTHMS[kind];
  useEffect(() => {
    return rhythm && poll(ask, rhythm, () => setTired(true));
  }, [ask, rhythm]);

  return {
    stage,
    isResumed,
    isTired,
    buyer,
    isOpen,
    open: async (who) => {
      const session = await openSession(who);
      tries.begin(session);
      setBuyer(who);
      move(stageOf(session));
    },
    pay: async (request) => {
      if (!('session' in stage)) return null;
      setOpen(true);
      try {
        const { session, refusal } = await tries.pay(stage.session, request);
        if (session !== null) move(stageOf(session));
        if (endingOf(refusal) === null) return refusal;
        end(refusal);
      } catch (error) {
        end(error);
      } finally {
        setOpen(tries.isOpen);
      }
      return null;
    },
    ask,
    changeDetails: () => {
      if (!tries.isOpen) move({ kind: 'details' });
    },
    beginAnew: () => {
      setResumed(false);
      if (problemOfLink === 'unavailable') return location.reload();
      if (stage.kind === 'ended' && stage.problem === 'unavailable') return void resume();
      setBuyer(null);
      begin();
    },
  };
}

/** Why it is over; null when it is not, and the same may be asked again. */
function endingOf(error: unknown): Problem | 'unknown_session' | null {
  if (!(error instanceof ApiFailure)) return null;
  switch (error.code) {
    case 'unauthenticated':
      return 'unknown_session';
    case 'session_used':
    case 'session_expired':
    case 'link_expired':
    case 'link_exhausted':
    case 'link_deleted':
    case 'not_found':
      return error.code;
    default:
      return null;
  }
}
