import { DefaultFailureConverter } from '@temporalio/common';

/** Encrypts failure messages and stack traces too. Loaded by path, inside and outside workflows. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
