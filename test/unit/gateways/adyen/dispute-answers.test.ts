import { Client, DisputesAPI, EnvironmentEnum } from '@adyen/api-library';
import { AdyenDriver } from '../../../../src/gateways/adyen/driver';
import type { GatewayEvidence } from '../../../../src/gateways/disputes/dispute-driver';
import { DRIVER_ENDPOINTS } from '../../../../src/gateways/driver-names';
import { adyenStub, error, ok, SEND_BEFORE, type StubAnswer } from './adyen-stub';

const { disputes } = new AdyenDriver();
const DISPUTE = { gatewayDisputeId: 'DZ4DPSHB4WD2WN82' };
const TAKEN = ok({ disputeServiceResult: { success: true } });
const REFUSED = ok({ disputeServiceResult: { success: false, errorMessage: 'Dispute DZ4D is closed' } });
const PDF = Buffer.from('%PDF-1.7');
const file = (contentType: 'application/pdf' | 'image/png' | 'image/jpeg'): GatewayEvidence => ({
  kind: 'other',
  file: { name: 'defense', contentType, bytes: PDF },
  uploadedId: null,
});

const reasons = (available: boolean, code = 'SupplyDefenseMaterial'): StubAnswer =>
  ok({
    defenseReasons: [
      {
        defenseReasonCode: code,
        satisfied: available,
        defenseDocumentTypes: [
          { defenseDocumentTypeCode: 'TIDorInvoice', requirementLevel: 'Optional', available: false },
          { defenseDocumentTypeCode: 'DefenseMaterial', requirementLevel: 'Required', available },
        ],
      },
    ],
    disputeServiceResult: { success: true },
  });

function disputeStub(...answers: readonly StubAnswer[]) {
  const stub = adyenStub(...answers);
  return { ...stub, ctx: { ...stub.ctx, endpoints: DRIVER_ENDPOINTS.adyen } };
}

describe('an answer to a dispute at Adyen', () => {
  it('is sent as Adyen’s SDK sends it, and only what answers the dispute has a send window', async () => {
    const stub = disputeStub(TAKEN, reasons(true), TAKEN);
    await disputes.accept(stub.ctx, DISPUTE);
    await disputes.submit(stub.ctx, DISPUTE, [file('application/pdf')]);
    const sent: unknown[] = [];
    const environment = EnvironmentEnum.LIVE;
    const client = new Client({ apiKey: 'AQE', environment, liveEndpointUrlPrefix: 'prefix' });
    client.httpClient = {
      request: (url: string, json: string) => {
        sent.push([url, JSON.parse(json) as unknown]);
        return Promise.resolve('{}');
      },
    };
    const sdk = new DisputesAPI(client).DisputesApi;
    const dispute = { disputePspReference: 'DZ4DPSHB4WD2WN82', merchantAccountCode: 'StubMerchant' };
    const defenseDocumentTypeCode = 'DefenseMaterial';
    const content = PDF.toString('base64');
    await sdk.acceptDispute(dispute);
    await sdk.retrieveApplicableDefenseReasons(dispute);
    await sdk.deleteDisputeDefenseDocument({ ...dispute, defenseDocumentType: defenseDocumentTypeCode });
    const document = { defenseDocumentTypeCode, contentType: 'application/pdf', content };
    await sdk.supplyDefenseDocument({ ...dispute, defenseDocuments: [document] });
    await sdk.defendDispute({ ...dispute, defenseReasonCode: 'SupplyDefenseMaterial' });
    expect(stub.sent.map(({ url }, index) => [url, stub.body(index)])).toEqual(sent);
    expect(stub.sent.map(({ sendBefore }) => sendBefore)).toEqual([
      ...[SEND_BEFORE, null, null, null],
      SEND_BEFORE,
    ]);
  });

  it('is refused by Adyen’s own words only, which are not repeated', async () => {
    await expect(disputes.accept(disputeStub(REFUSED).ctx, DISPUTE)).rejects.toMatchObject({
      family: 'invalid_request',
      message: expect.not.stringContaining('DZ4D') as unknown,
    });
    for (const answer of [ok({}), ok({ disputeServiceResult: {} }), error(500, '701', 'internal')])
      await expect(disputes.accept(disputeStub(answer).ctx, DISPUTE)).rejects.toMatchObject({
        family: 'ambiguous',
      });
  });

  it('with evidence that is no single PDF or JPEG is refused before anything is sent', async () => {
    const text: GatewayEvidence = { kind: 'explanation', text: 'It was delivered.' };
    const wrong = [[], [text], [file('image/png')], [file('image/jpeg'), text]];
    for (const evidence of wrong) {
      const stub = disputeStub(reasons(false), TAKEN);
      await expect(disputes.submit(stub.ctx, DISPUTE, evidence)).rejects.toMatchObject({
        family: 'invalid_request',
      });
      expect(stub.sent).toEqual([]);
    }
  });

  it('of a dispute that takes documents of other types only is refused, and nothing is uploaded', async () => {
    const stub = disputeStub(reasons(false, 'GoodsNotReturned'), TAKEN);
    await expect(disputes.submit(stub.ctx, DISPUTE, [file('image/jpeg')])).rejects.toMatchObject({
      family: 'unsupported',
    });
    expect(stub.sent).toHaveLength(1);
  });
});
