import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { expectStatus } from '../api/support/api-client';
import {
  detailOf,
  registerDashboardCompany,
  SLOW_MACHINE_TIMES,
  startLostCharge,
  type DashboardCompany,
} from '../api/dashboard/dashboard-company';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { found, pendingPix, sale, untilStatus } from '../api/support/payment-scenario';
import { paymentRequest, rawCard } from '../support/fixtures/payments';
import { uniqueAmount } from '../support/scenarios/pay';
import { waitFor } from '../support/stack/wait-for';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(SLOW_MACHINE_TIMES), startBrowser()]);
  company = await registerDashboardCompany(api, ['gateway_3', 'gateway_1', 'gateway_2']);
  const atFirst = { gateway_first_try: 'gateway_1' } as const;
  await sale(company.byKey, atFirst);
  await sale(company.byKey, atFirst);
  const declined = paymentRequest({ ...atFirst, card: rawCard('4000000000009995') });
  expectStatus(await company.byKey('createCardPayment', { body: declined }), 200);
}, 120_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  visit = await openDashboard(browser, api, company, path, options);
  return visit.page;
}

const LANGUAGES = [
  { locale: 'en-US', rate: '66.7%', counted: '2 approved, 1 failed', before: 'Period before: –' },
  { locale: 'pt-BR', rate: '66,7%', counted: '2 aprovados, 1 com falha', before: 'Período anterior: –' },
];

it.each(LANGUAGES)(
  'the overview shows the approval rate that the API computes, and that of the period before ($locale)',
  async ({ locale, rate, counted, before }) => {
    const page = await open('/', { locale });
    const figure = page.locator('div').filter({ hasText: counted }).last().locator('..');
    await figure.getByText(rate, { exact: true }).waitFor();
    await figure.getByText(before, { exact: true }).waitFor();
  },
);

it('a gateway is judged by how it answered the charges of the last hour', async () => {
  const lost = await startLostCharge(api, company, uniqueAmount());
  await waitFor(async () => {
    const { payment } = await detailOf(company, { transaction_id: lost });
    return payment.transactions[0]?.status === 'unknown';
  });
  const page = await open('/gateways');
  await page.getByText('No clear answer to 1 of 1 charges in the last hour').waitFor();
  await page.getByText('Answers well').waitFor();
  await page.getByText('No charge in the last hour').waitFor();
});

describe('payments that need attention', () => {
  let troubled: DashboardCompany;
  beforeAll(async () => {
    troubled = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
    const { byKey } = troubled;
    const [overpaid, underpaid, disputed] = [
      await pendingPix(byKey),
      await pendingPix(byKey),
      await sale(byKey),
    ];
    await api.engine.simulator.pay(overpaid.transaction_id, overpaid.amount + 100);
    await untilStatus(byKey, overpaid, 'approved');
    await api.engine.simulator.pay(underpaid.transaction_id, 100);
    await waitFor(async () => (await found(byKey, underpaid)).paid_amount === 100);
    await api.engine.simulator.openDispute(disputed.transaction_id);
    await waitFor(async () => (await found(byKey, disputed)).dispute?.status === 'opened');
  });

  it.each([
    {
      locale: 'en-US',
      links: [
        '1 payment of this period was overpaid',
        '1 payment was paid only in part',
        '1 payment is disputed',
      ],
      total: '1 payment',
    },
    {
      locale: 'pt-BR',
      links: [
        '1 pagamento deste período foi pago a mais',
        '1 pagamento foi pago só em parte',
        '1 pagamento foi contestado',
      ],
      total: '1 pagamento',
    },
  ])(
    'raise an alert on the overview that leads to the list of them ($locale)',
    async ({ locale, links, total }) => {
      visit = await openDashboard(browser, api, troubled, '/', { locale });
      const { page } = visit;
      for (const name of links) {
        await page.getByRole('link', { name }).click();
        await page.getByText(`${total} · `).waitFor();
        await page.goBack();
      }
      await page.getByRole('link', { name: links[0] ?? '' }).waitFor();
      expect(await axeViolations(page)).toEqual([]);
    },
  );
});
