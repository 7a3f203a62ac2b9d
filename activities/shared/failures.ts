import { ApplicationFailure } from '@temporalio/common';

/** The logger of the activities. Fields pass the allow-list of `src/log.ts`. */
export interface Log {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Converts errors to Temporal failures. Every error is retried within the limits of the activity, because the database
 * may recover and a bug may be fixed while the payment waits. Only the worker's log contains the cause: the failure in a
 * history names the error's class, because an error message may quote personal data.
 */
export function reportFailures(log: Log) {
  return <Args extends unknown[], Result>(
    name: string,
    activity: (...args: Args) => Promise<Result>,
  ): ((...args: Args) => Promise<Result>) =>
    async (...args) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (error instanceof ApplicationFailure) throw error;
        log.error({ operation: name, ...idsOf(args[0]), err: error }, 'activity failed; Temporal will retry');
        const type = error instanceof Error ? error.name : 'UnknownError';
        throw ApplicationFailure.create({ message: `${type}, see the worker's log`, type });
      }
    };
}

/** Whose work it is, so that a log line leads to the payment. */
function idsOf(input: unknown): { readonly company_id?: number; readonly transaction_id?: string } {
  if (typeof input !== 'object' || input === null) return {};
  const { companyId, transactionId } = input as { companyId?: unknown; transactionId?: unknown };
  return {
    ...(typeof companyId === 'number' && { company_id: companyId }),
    ...(typeof transactionId === 'string' && { transaction_id: transactionId }),
  };
}
