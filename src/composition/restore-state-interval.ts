/** How soon every process notices that a restore begins or ends. */
export const RESTORE_STATE_INTERVAL_MS = 1_000;
