/**
 * Preloaded (`node --require`) into the parts that `npm start` and the test stack run. The channel to the parent closes
 * when the parent is gone, however it went; the part then ends as if it had been asked to.
 */

/** Longer than a worker's or an API's own shutdown takes. */
const FORCE_EXIT_AFTER_MS = 8_000;

process.once('disconnect', () => {
  setTimeout(() => process.exit(1), FORCE_EXIT_AFTER_MS).unref();
  process.kill(process.pid, 'SIGTERM');
});
process.channel?.unref();
