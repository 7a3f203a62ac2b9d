import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { PaymentMethod } from '../../../src/domain/payments/payment';
import type { GatewayDriver } from '../../../src/gateways/gateway';
import { ContractBench } from './bench';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeCallbacks } from './callbacks';
import { describeCardVerification } from './card-verification';
import { describeCharges } from './charges';
import { describeErrors } from './errors';
import { describeForeignAnswers } from './foreign-answers/foreign-answers';
import { describeAuthorizations, describeNoAuthorizations, describeRefunds } from './follow-ups';
import { describeInquiries } from './inquiries';
import { describeLostAnswers } from './lost-answers';
import { describeOperations } from './operations';
import { describePendingOperations } from './pending-operations';
import { describePixAndBillet } from './pix-and-billet';
import {
  describeAuthorizedRecipients,
  describeRecipients,
  describeSplits,
  describeWholeSplits,
} from './recipients';

/**
 * The contract tests of every gateway driver. The driver's capabilities at the slug decide which tests exist. `connect` is
 * called when the tests run.
 */
export function describeGatewayContract(
  name: string,
  {
    driver,
    slug,
    pendingRefunds = [],
  }: {
    readonly driver: GatewayDriver;
    readonly slug: GatewaySlug;
    /** The methods whose refunds the gateway always carries out later. */
    readonly pendingRefunds?: readonly PaymentMethod[];
  },
  connect: () => GatewayUnderTest,
): void {
  const bench = new ContractBench(driver, slug, { pendingRefunds });

  describe(`gateway driver contract: ${name}`, () => {
    beforeAll(() => bench.connect(connect()));
    afterAll(() => bench.close());

    describeOperations(bench);
    describeCharges(bench);
    describeCardVerification(bench);
    describePixAndBillet(bench);
    if (bench.capabilities.authorizeOnly) describeAuthorizations(bench);
    else describeNoAuthorizations(bench);
    describeRefunds(bench);
    if (bench.capabilities.pendingOperations.length > 0) describePendingOperations(bench);
    describeErrors(bench);
    describeForeignAnswers(bench);
    describeLostAnswers(bench);
    describeInquiries(bench);
    if (driver.recipientAuthorization !== undefined) describeAuthorizedRecipients(bench);
    else if (bench.capabilities.subAccounts) describeRecipients(bench);
    if (bench.capabilities.subAccounts && bench.capabilities.splits === 'exact') describeSplits(bench);
    if (bench.capabilities.subAccounts && bench.capabilities.splits === 'fee') describeWholeSplits(bench);
    describeCallbacks(bench);
  });
}
