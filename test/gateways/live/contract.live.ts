import { describeGatewayContract } from '../contract/gateway-contract';
import { liveGateway } from './live-gateway';
import { liveVendor } from './live-vendors';
import { RecordingProxy } from './recording-proxy';

// Jest runs this file for `npm run test:vendor` only.
const vendor = liveVendor(process.env.LIVE_VENDOR, process.env);
if ('problems' in vendor) throw new Error(vendor.problems.join('; '));
let proxy: RecordingProxy;
beforeAll(async () => {
  const { driver, account, endpoints } = vendor;
  const certificate = driver.clientCertificate?.(account.values) ?? null;
  proxy = await RecordingProxy.start({ targets: endpoints, certificate }, process.env.LIVE_RECORDINGS ?? '');
});
afterAll(() => proxy.stop());

describeGatewayContract(vendor.name, vendor, () => liveGateway(vendor, proxy));
