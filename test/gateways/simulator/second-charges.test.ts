import { BRASILIA, dateIn } from '../../../src/domain/time/timezone';
import { ledgerViolations } from '../../support/scenarios/ledger-invariants';
import { startOwnSimulator, type OwnSimulator, type SimulatorControl } from '../../support/stack/simulator';
import { payment, VendorClient } from './vendor-client';

let simulator: OwnSimulator;
let control: SimulatorControl;
let vendor: VendorClient;
beforeAll(async () => {
  simulator = await startOwnSimulator();
  control = simulator.control;
  vendor = new VendorClient(simulator.url, 'gateway_1');
});
afterAll(() => simulator.dispose());

it('a second charge is in the ledger, in the statement and under an id of its own, without a request', async () => {
  const { transactionId, body } = payment();
  const { id } = await vendor.charge(body);
  const second = await control.chargeAgain(transactionId);
  expect(second).toMatchObject({ first_charge_id: id, amount: 10_000 });
  const { entries, totals } = await control.ledger(transactionId);
  expect(totals).toMatchObject({ authorized: 20_000, captured: 20_000, held: 0 });
  expect(ledgerViolations(entries.filter(({ charge_id: of }) => of === second.charge_id))).toEqual([]);
  const { data } = await control.statement('gateway_1', dateIn(BRASILIA, new Date()), transactionId);
  const sales = data.filter(({ kind }) => kind === 'sale');
  expect(sales.map(({ charge_id: charge, reference }) => [charge, reference])).toEqual([
    [id, body.reference],
    [second.charge_id, body.reference],
  ]);
  expect(await control.requests(transactionId)).toHaveLength(1);
  const shown = JSON.parse((await vendor.send(`charges/${second.charge_id}`, null)).text) as object;
  expect(shown).toMatchObject({ id: second.charge_id, status: 'approved', reference: body.reference });
});
