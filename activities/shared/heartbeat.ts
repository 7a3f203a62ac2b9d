import { activityInfo, heartbeat } from '@temporalio/activity';

/** Well below the workflows' heartbeat timeout, so that a lost worker is noticed within seconds and a busy one is not. */
const HEARTBEAT_EVERY_MS = 1_000;

/** Tells Temporal that this worker lives for as long as the activity runs. What an earlier try left for the next one stays. */
export function withHeartbeat<Args extends unknown[], Result>(
  activity: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const beat = setInterval(() => {
      heartbeat(activityInfo().heartbeatDetails);
    }, HEARTBEAT_EVERY_MS);
    try {
      return await activity(...args);
    } finally {
      clearInterval(beat);
    }
  };
}
