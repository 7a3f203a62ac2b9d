import { GatewayError } from './errors';
import type { InquiryResult } from './gateway';

/** The result of an inquiry: one that failed is inconclusive. */
export async function inquiryResult(inquire: () => Promise<InquiryResult>): Promise<InquiryResult> {
  try {
    return await inquire();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const credentialsRejected = error.family === 'bad_credentials';
    return { kind: 'inconclusive', reason: error.message, credentialsRejected };
  }
}
