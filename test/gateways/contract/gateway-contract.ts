import type { GatewaySlug } from '../../../src/domain/shared/gateway-slug';
import type { GatewayDriver } from '../../../src/gateways/gateway';
import { ContractBench, type GatewayUnderTest } from './bench';
import { describeCallbacks } from './callbacks';
import { describeCharges } from './charges';
import { describeErrors } from './errors';
import { describeAuthorizations, describeNoAuthorizations, describeRefunds } from './follow-ups';
import { describeInquiries } from './inquiries';
import { describeLostAnswers } from './lost-answers';
import { describeOperations } from './operations';
import { describePixAndBillet } from './pix-and-billet';
import { describeRecipients, describeSplits } from './recipients';

/**
 * What every gateway driver must keep. Its capabilities at the slug decide which promises there are to keep, so no
 * test is passed by a gateway it does not concern. `connect` is called once the tests run.
 */
export function describeGatewayContract(
  name: string,
  { driver, slug }: { readonly driver: GatewayDriver; readonly slug: GatewaySlug },
  connect: () => GatewayUnderTest,
): void {
  const bench = new ContractBench(driver, slug);

  describe(`gateway driver contract: ${name}`, () => {
    beforeAll(() => bench.connect(connect()));
    afterAll(() => bench.close());

    describeOperations(bench);
    describeCharges(bench);
    describePixAndBillet(bench);
    if (bench.can.authorizeOnly) describeAuthorizations(bench);
    else describeNoAuthorizations(bench);
    describeRefunds(bench);
    describeErrors(bench);
    describeLostAnswers(bench);
    describeInquiries(bench);
    if (bench.can.subAccounts) describeRecipients(bench);
    if (bench.can.subAccounts && bench.can.splits) describeSplits(bench);
    describeCallbacks(bench);
  });
}
