/**
 * Preloaded (`node --require`) into the processes that `npm start` and the test stack run. The IPC channel closes when the
 * parent exits or is killed; the process then terminates itself with SIGTERM.
 */

/** Longer than the graceful shutdown of the worker and the API. */
const FORCE_EXIT_AFTER_MS = 8_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), FORCE_EXIT_AFTER_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
