import { PixBacenDriver } from '../../../src/gateways/pix-bacen/driver';
import { startOwnSimulator, type OwnSimulator } from '../../support/stack/simulator';
import { describeWithOracle } from '../../support/vendors/oracles';
import { mendedPixDocument } from '../../support/vendors/pix-document';
import { ValidatingProxy } from '../../support/vendors/validating-proxy';
import { ContractBench } from '../contract/bench';
import { pixBacenAt } from '../contract/pix-bacen-gateway';

const SLUG = 'gateway_5';

describeWithOracle('pix-bacen/openapi.yaml', 'the messages between the driver and its bank', (document) => {
  const bench = new ContractBench(new PixBacenDriver(), SLUG);
  let simulator: OwnSimulator;
  let proxy: ValidatingProxy;

  beforeAll(async () => {
    simulator = await startOwnSimulator({ SIMULATOR_GATEWAY_5: 'pix-bacen' });
    const upstream = `${simulator.url}/${SLUG}`;
    proxy = await ValidatingProxy.start({ document: mendedPixDocument(document), upstream });
    const gateway = pixBacenAt(simulator, SLUG);
    bench.connect({ ...gateway, endpoints: { ...gateway.endpoints, api: proxy.url } });
  });
  afterAll(async () => {
    await bench.close();
    await proxy.stop();
    await simulator.dispose();
  });

  it('fit the central bank’s document: credentials, charge, cancel, payment, refunds and inquiries', async () => {
    const { driver } = bench;
    await driver.verifyCredentials?.(bench.context());
    const unpaid = await bench.createCharge();
    await driver.cancel(bench.context(), bench.followUp(unpaid.charge, `${unpaid.transactionId}-1-cancel`));
    const { transactionId, charge } = await bench.createPaid('pix');
    const reference = `${transactionId}-1-refund-2`;
    const change = { amountCents: 4_000, reason: 'avaria' };
    await driver.refund(bench.context(), bench.followUp(charge, reference, change));
    const unknown = [`${transactionId}-2`, `${transactionId}-1-refund-3`];
    const inquiries = await Promise.all(
      [`${transactionId}-1`, reference, ...unknown].map((each) => bench.inquire(each)),
    );
    expect(inquiries.map(({ kind }) => kind)).toEqual(['found', 'found', 'not_found', 'not_found']);
    expect(await proxy.violations()).toEqual([]);
  });

  it('are all checked, because an amount that the document does not allow is found', async () => {
    await bench.createCharge({ amountCents: 0.5 }).catch(() => undefined);
    expect(await proxy.violations()).not.toEqual([]);
  });
});
