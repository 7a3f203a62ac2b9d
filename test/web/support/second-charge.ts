import { statementFile, upload } from '../../api/settlement/statement-file';
import { expectStatus } from '../../api/support/api-client';
import type { DashboardCompany } from '../../api/dashboard/dashboard-company';
import type { EngineApi } from '../../api/support/engine-api';
import { PASSWORD } from '../../api/users/user-api';
import { waitFor } from '../../support/stack/wait-for';
import { TODAY } from '../../workflows/settlement/settlement-scenario';

/** A payment that the gateway has charged twice, and the statement of today as a file. */
export interface ChargedTwice {
  readonly secondChargeId: string;
  readonly file: string;
}

export async function chargeTwice(
  { engine: { simulator } }: EngineApi,
  transactionId: string,
): Promise<ChargedTwice> {
  const { charge_id: secondChargeId } = await simulator.chargeAgain(transactionId);
  const { data } = await simulator.statement('gateway_1', TODAY, transactionId);
  return { secondChargeId, file: statementFile(data) };
}

/** Uploads the statement of today without a browser; returns its id and that of the second charge, as a difference. */
export async function reconcileToday(
  api: EngineApi,
  { email, byToken }: DashboardCompany,
  file: string,
): Promise<{ readonly settlement: string; readonly difference: string }> {
  const login = { email, password: PASSWORD };
  const { token } = expectStatus(await api.anonymous('logIn', { body: login }), 200).body;
  const headers = { authorization: `Bearer ${token}` };
  const sent = await upload(api.baseUrl, headers, { gateway: 'gateway_1', day: TODAY }, file);
  const settlement = sent.body.data?.id ?? '';
  await waitFor(async () => {
    const { data } = expectStatus(await byToken('getSettlement', { params: { id: settlement } }), 200).body;
    return data.status === 'done';
  });
  const query = { settlement_id: settlement, kind: 'charged_twice' };
  const { data } = expectStatus(await byToken('listSettlementItems', { query }), 200).body;
  return { settlement, difference: data[0]?.id ?? '' };
}
