import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import type { GatewaySplit } from '../../../../src/gateways/gateway';
import {
  adyenStub,
  chargeRequest,
  followUp,
  modification,
  ok,
  payment,
  received,
  REFERENCE,
  type StubAnswer,
} from './adyen-stub';

const driver = new AdyenDriver();
const SELLER = 'BA3227C223222H5J4DCGQ9V9L';
const OTHER = 'BA3227C223222H5J4DCGQ9V9M';

function split(recipientId: string, amountCents: number, flags: Partial<GatewaySplit> = {}): GatewaySplit {
  return { recipientId, amountCents, liable: false, chargeProcessingFee: false, ...flags };
}

function platformStub(...answers: readonly StubAnswer[]) {
  const stub = adyenStub(...answers);
  const credentials = { ...stub.ctx.credentials, balance_platform: 'LojaPlatform' };
  return { ...stub, ctx: { ...stub.ctx, credentials } };
}

/** The parts that a request names: accounts, cents and references. */
function partsOf(body: Record<string, unknown>): unknown[][] {
  const splits = body.splits as { account: string; amount: { value: number }; reference: string }[];
  return splits.map(({ account, amount, reference }) => [account, amount.value, reference]);
}

describe('splits at Adyen', () => {
  const splits = [split(SELLER, 12_000), split(OTHER, 990)];

  it('are the exact parts of balance accounts, with the same references in the payment, its capture and its refunds', async () => {
    const { ctx, body } = platformStub(ok(payment()), received(modification()));
    await driver.charge(ctx, chargeRequest({ splits }));
    for (const kind of ['capture', 'refund'] as const) {
      const reference = `${REFERENCE}-${kind}`;
      const part = [split(OTHER, 90), split(SELLER, 910)];
      const operation = followUp({ reference, amountCents: 1_000, splits: part });
      await driver[kind](ctx, operation).catch(() => null);
    }
    const [[, , first], [, , second]] = partsOf(body()) as [unknown[], unknown[]];
    expect(partsOf(body())).toEqual([
      [SELLER, 12_000, first],
      [OTHER, 990, second],
    ]);
    expect(first).not.toBe(second);
    expect(body().splits).toMatchObject([{ type: 'BalanceAccount' }, { type: 'BalanceAccount' }]);
    const parts = [
      [OTHER, 90, second],
      [SELLER, 910, first],
    ];
    expect([partsOf(body(1)), partsOf(body(2))]).toEqual([parts, parts]);
  });

  it('of one recipient are one part, and what takes nothing of a recipient does not name it', async () => {
    const { ctx, body } = platformStub(ok(payment()));
    const twice = [split(SELLER, 12_000), split(SELLER, 990), split(OTHER, 0)];
    await driver.charge(ctx, chargeRequest({ splits: twice }));
    expect(partsOf(body())).toEqual([[SELLER, 12_990, expect.any(String)]]);
  });

  it('are not sent if they do not sum to the amount or name no balance account, because Adyen would give the money to the platform', async () => {
    const { ctx, sent } = platformStub();
    for (const wrong of [[split(SELLER, 12_989)], [split('re_1', 12_990)]]) {
      await expect(driver.charge(ctx, chargeRequest({ splits: wrong }))).rejects.toMatchObject({
        family: 'invalid_request',
      });
    }
    expect(sent).toEqual([]);
  });

  it('are not sent for an account without a balance platform, which cannot split, or with costs for a recipient', async () => {
    const { ctx, sent } = adyenStub();
    await expect(driver.charge(ctx, chargeRequest({ splits }))).rejects.toMatchObject({
      ...{ family: 'unsupported', lacks: 'splits', message: 'the credentials have no balance_platform' },
    });
    const platform = platformStub();
    for (const flag of [{ liable: true }, { chargeProcessingFee: true }]) {
      const flagged = chargeRequest({ splits: [split(SELLER, 12_990, flag)] });
      await expect(driver.charge(platform.ctx, flagged)).rejects.toMatchObject({
        ...{ family: 'unsupported', lacks: null },
      });
    }
    expect([...sent, ...platform.sent]).toEqual([]);
  });
});
