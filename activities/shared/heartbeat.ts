import { activityInfo, heartbeat } from '@temporalio/activity';

/** Well below the heartbeat timeout of the workflows, so that a busy worker is not taken for a lost one. */
const HEARTBEAT_INTERVAL_MS = 1_000;

/** Sends heartbeats while the activity runs. They keep the details that an earlier attempt left for the next one. */
export function withHeartbeat<Args extends unknown[], Result>(
  activity: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  return async (...args) => {
    const timer = setInterval(() => {
      heartbeat(activityInfo().heartbeatDetails);
    }, HEARTBEAT_INTERVAL_MS);
    try {
      return await activity(...args);
    } finally {
      clearInterval(timer);
    }
  };
}
