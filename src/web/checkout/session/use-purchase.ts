import { useCallback, useEffect, useState } from 'react';
import { RequestError } from '../../api/request-error';
import { problem as linkProblem, type Problem } from '../page-data';
import { poll, type PollSchedule } from './poll';
import { openSession, type BuyerDetails, type PayRequest } from './session-api';
import { stageOf, type Stage } from '../stage';
import { PaymentSubmitter } from './payment-submitter';

export interface Purchase {
  readonly stage: Stage;
  /** True when the page opened in its current stage, so nothing has just happened. */
  readonly isResumed: boolean;
  /** Kept in memory only; null after a reload. */
  readonly buyer: BuyerDetails | null;
  /** True while the result of a payment is unknown: the buyer cannot start over. */
  readonly hasPending: boolean;
  /** True when polling has stopped; the buyer can check the status by hand. */
  readonly isPollingStopped: boolean;
  /** Throws `RequestError`. */
  readonly openSession: (buyer: BuyerDetails) => Promise<void>;
  /** Returns the error, or null when the new stage shows the result. */
  readonly pay: (request: PayRequest) => Promise<RequestError | null>;
  readonly refresh: () => Promise<void>;
  readonly changeDetails: () => void;
  readonly startOver: () => void;
}

const POLL_SCHEDULES: Partial<Record<Stage['kind'], PollSchedule>> = {
  processing: { firstMs: 1_000, maxMs: 10_000, maxRequests: 90 },
  pix: { firstMs: 2_000, maxMs: 15_000, maxRequests: 400 },
};

/** State of the checkout page. */
export function usePurchase(): Purchase {
  const [submitter] = useState(() => new PaymentSubmitter());
  const [stage, setStage] = useState<Stage>({ kind: 'loading' });
  const [isResumed, setResumed] = useState(true);
  const [isPollingStopped, setPollingStopped] = useState(false);
  const [hasPending, setHasPending] = useState(submitter.hasPending);
  const [buyer, setBuyer] = useState<BuyerDetails | null>(null);

  const changeStage = useCallback((next: Stage) => {
    setResumed(false);
    setPollingStopped(false);
    setStage(next);
  }, []);

  const showFirstStage = useCallback(() => {
    submitter.clear();
    setHasPending(false);
    setStage(linkProblem === null ? { kind: 'details' } : { kind: 'ended', problem: linkProblem });
  }, [submitter]);

  const end = useCallback(
    (error: unknown) => {
      const reason = endReasonOf(error) ?? 'unavailable';
      if (reason === 'unknown_session') showFirstStage();
      else setStage({ kind: 'ended', problem: reason });
    },
    [showFirstStage],
  );

  const resume = useCallback(async () => {
    if (submitter.token === null) return showFirstStage();
    try {
      setStage(stageOf(await submitter.refresh()));
      setHasPending(submitter.hasPending);
    } catch (error) {
      end(error);
    }
  }, [submitter, showFirstStage, end]);

  useEffect(() => {
    void resume();
  }, [resume]);

  const { kind } = stage;
  const refresh = useCallback(async () => {
    if (submitter.isSubmitting) return;
    try {
      const next = stageOf(await submitter.refresh());
      setHasPending(submitter.hasPending);
      if (submitter.isSubmitting) return;
      // The focus stays where it is when the stage has not changed.
      if (next.kind === kind) setStage(next);
      else changeStage(next);
      setPollingStopped(false);
    } catch (error) {
      if (endReasonOf(error) !== null) end(error);
    }
  }, [submitter, kind, changeStage, end]);

  const schedule = isPollingStopped ? undefined : POLL_SCHEDULES[kind];
  useEffect(() => {
    return schedule && poll(refresh, schedule, () => setPollingStopped(true));
  }, [refresh, schedule]);

  return {
    stage,
    isResumed,
    isPollingStopped,
    buyer,
    hasPending,
    openSession: async (details) => {
      const session = await openSession(details);
      submitter.start(session);
      setBuyer(details);
      changeStage(stageOf(session));
    },
    pay: async (request) => {
      if (!('session' in stage)) return null;
      setHasPending(true);
      try {
        const { session, error } = await submitter.submit(stage.session, request);
        if (session !== null) changeStage(stageOf(session));
        if (endReasonOf(error) === null) return error;
        end(error);
      } catch (error) {
        end(error);
      } finally {
        setHasPending(submitter.hasPending);
      }
      return null;
    },
    refresh,
    changeDetails: () => {
      if (!submitter.hasPending) changeStage({ kind: 'details' });
    },
    startOver: () => {
      setResumed(false);
      if (linkProblem === 'unavailable') return location.reload();
      if (stage.kind === 'ended' && stage.problem === 'unavailable') return void resume();
      setBuyer(null);
      showFirstStage();
    },
  };
}

/** Why the session has ended, or null if the request may be repeated. */
function endReasonOf(error: unknown): Problem | 'unknown_session' | null {
  if (!(error instanceof RequestError)) return null;
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
