import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale } from '../api/support/payment-scenario';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
}, 120_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const RULE = {
  name: 'Large',
  when: { payment_method: 'card', amount_from: 50_000, currency: 'BRL' },
  split: [
    { gateway: 'gateway_2', percent: 70 },
    { gateway: 'gateway_1', percent: 30 },
  ],
};

describe.each([
  {
    ...{ locale: 'en-US', amount: '600', other: '100', field: 'Amount', try: 'Try' },
    summary: /Card payments in BRL, from R\$500\.00: 70% gateway_2, 30% gateway_1\./,
    matches: 'Rule 1 matches: Large',
    share: 'gets 70% of payments like this first',
    order: 'No rule matches: the default order applies.',
    traffic: 'Traffic of the rules',
    row: 'Large 1 50% 100%',
    rest: 'No rule matched 1 50% –',
  },
  {
    ...{ locale: 'pt-BR', amount: '600', other: '100', field: 'Valor', try: 'Testar' },
    summary: /Pagamentos por Cartão em BRL, a partir de R\$\s500,00: 70% gateway_2, 30% gateway_1\./,
    matches: 'A regra 1 corresponde: Large',
    share: 'recebe primeiro 70% dos pagamentos como este',
    order: 'Nenhuma regra corresponde: vale a ordem padrão.',
    traffic: 'Tráfego das regras',
    row: 'Large 1 50% 100%',
    rest: 'Nenhuma regra correspondeu 1 50% –',
  },
])('the page of routing rules, in $locale', (texts) => {
  it('says what each rule does, and which gateway would take a payment', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2']);
    expectStatus(await company.byToken('updateCompanyConfig', { body: { routing_rules: [RULE] } }), 200);
    visit = await openDashboard(browser, api, company, '/settings/routing', { locale: texts.locale });
    const { page } = visit;
    await page.getByText(texts.summary).waitFor();
    const amount = page.getByLabel(texts.field, { exact: true });
    await amount.fill(texts.amount);
    await page.getByRole('button', { name: texts.try, exact: true }).click();
    await page.getByText(texts.matches).waitFor();
    await page.getByText(texts.share).waitFor();
    await amount.fill(texts.other);
    await page.getByRole('button', { name: texts.try, exact: true }).click();
    await page.getByText(texts.order).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows the traffic that each rule had', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1', 'gateway_2']);
    expectStatus(await company.byToken('updateCompanyConfig', { body: { routing_rules: [RULE] } }), 200);
    await sale(company.byKey, { amount: 60_000 });
    await sale(company.byKey, { amount: 100 });
    visit = await openDashboard(browser, api, company, '/settings/routing', { locale: texts.locale });
    const { page } = visit;
    const traffic = page.getByRole('region', { name: texts.traffic });
    await traffic.getByRole('row', { name: texts.row }).waitFor();
    await traffic.getByRole('row', { name: texts.rest }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });
});
