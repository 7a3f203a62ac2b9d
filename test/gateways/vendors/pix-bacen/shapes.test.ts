import { describeWithOracle } from '../../../support/vendors/oracles';
import { mendedPixDocument } from '../../../support/vendors/pix-document';
import { ValidatingProxy } from '../../../support/vendors/validating-proxy';
import { type Answer, PixBench, PixCharge, REMOVED } from './bench';

let bench: PixBench;
beforeAll(async () => {
  bench = await PixBench.start();
});
afterAll(() => bench.stop());

const newCharge = () => new PixCharge(bench);

describeWithOracle('pix-bacen/openapi.yaml', 'the document of the Pix API', (document) => {
  let proxy: ValidatingProxy;
  beforeAll(async () => {
    proxy = await ValidatingProxy.start({ document: mendedPixDocument(document), upstream: bench.url });
  });
  afterAll(() => proxy.stop());

  it('allows the answers of the fake to charges, lists, refunds and errors', async () => {
    const through = { base: proxy.url };
    const charge = newCharge();
    const e2eId = await charge.paid();
    const removed = newCharge();
    const [from, to] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const answers: Answer[] = [
      await removed.put({}, through),
      await removed.patch({ valor: { original: '10.00' } }, through),
      await removed.patch(REMOVED, through),
      await charge.refund(e2eId, '10.00', charge.refundId, through),
      await charge.show(through),
      await bench.get(`cob?inicio=${from}&fim=${to}`, through),
      await bench.get(`pix/${e2eId}`, through),
      await bench.get(`pix/${e2eId}/devolucao/${charge.refundId}`, through),
      await charge.refund(e2eId, '100.00', 'too-much'.replace('-', ''), through),
      await newCharge().put({ chave: 'outro@example.com' }, through),
      await newCharge().show(through),
      await bench.get(`pix/${'E'.repeat(32)}`, through),
    ];
    expect(await proxy.violations()).toEqual([]);
    expect(answers.map(({ status }) => status)).toEqual([
      ...[201, 200, 200, 201, 200, 200, 200, 200],
      ...[400, 400, 404, 404],
    ]);
  });

  it('does not allow a number for an amount, so that the check has an effect', async () => {
    await newCharge().put({ valor: { original: 100 } }, { base: proxy.url });
    expect(await proxy.violations()).toEqual([expect.stringContaining('valor')]);
  });
});
