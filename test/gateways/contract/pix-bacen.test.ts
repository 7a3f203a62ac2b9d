import { toCompactReference } from '../../../src/gateways/compact-reference';
import { PixBacenDriver } from '../../../src/gateways/pix-bacen/driver';
import { startVendorFake, type VendorFake } from './simulated-gateway';
import type { GatewayUnderTest } from './gateway-under-test';
import { describeGatewayContract } from './gateway-contract';
import { pixBacenAt } from './pix-bacen-gateway';

const SLUG = 'gateway_5';
const SECRET = 'sk_contract_of_pix_bacen';
const WEBHOOK_SECRET = 'hmac of the pix contract';

let fake: VendorFake;

beforeAll(async () => {
  fake = await startVendorFake({
    slug: SLUG,
    vendor: 'pix-bacen',
    secret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
  });
});
afterAll(async () => {
  await fake.dispose();
});

function pixBacen(): GatewayUnderTest {
  return {
    ...pixBacenAt(fake, SLUG),
    goodSecret: SECRET,
    webhookSecret: WEBHOOK_SECRET,
    callbacks(transactionId) {
      const txid = toCompactReference(`${transactionId}-1`);
      return Promise.resolve(fake.callbacks.filter(({ body }) => body.includes(txid)));
    },
  };
}

describeGatewayContract('Pix API', { driver: new PixBacenDriver(), slug: SLUG }, pixBacen);
