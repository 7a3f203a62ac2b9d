/** Addresses of what jest's global setup started for this run: one of each, shared by all test files. */
export interface Stack {
  /** Migrated; every test makes its own company in it. */
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  /** Retention and search attributes are set up; every test file has its own task queue. */
  readonly temporalNamespace: string;
  readonly simulatorUrl: string;
  /** The workflow code as workers load it. */
  readonly workflowBundlePath: string;
  /** openapi.yaml as JSON, which is read in no time. */
  readonly contractPath: string;
}

/** A database on the shared server with every migration and nothing else, which nobody connects to: it is copied. */
export const MIGRATED_DATABASE = 'migrated';

/** Where the global setup leaves them for the processes that run test files. */
export const STACK_VARIABLE = 'PAYMENT_ENGINE_TEST_STACK';

/** Whether jest runs this process. */
export function hasStack(): boolean {
  return process.env[STACK_VARIABLE] !== undefined;
}

export function readStack(): Stack {
  const text = process.env[STACK_VARIABLE];
  if (text === undefined)
    throw new Error('no test stack: run tests through jest, whose global setup starts it');
  return JSON.parse(text) as Stack;
}
