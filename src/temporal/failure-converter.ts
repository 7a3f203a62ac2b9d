import { DefaultFailureConverter } from '@temporalio/common';

/** Encrypts messages and stack traces of failures too. Loaded by path, in workflows as well as outside them. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
