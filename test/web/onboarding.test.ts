import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { CheckoutVisit, newLink } from '../api/checkout/checkout-buyer';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { waitFor } from '../support/stack/wait-for';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let visit: PageVisit | null = null;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([
    startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }),
    startBrowser(),
  ]);
}, 120_000);

afterEach(async () => {
  expect(visit?.consoleErrors).toEqual([]);
  await visit?.close();
  visit = null;
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const steps = (page: Page, title: string) => page.getByRole('region', { name: title });

describe.each([
  {
    ...{
      locale: 'en-US',
      title: 'First steps',
      connect: 'Connect gateway_1',
      key: 'Secret key',
      save: 'Save',
    },
    ...{ one: '1 of 4 done', two: '2 of 4 done', three: '3 of 4 done', pay: 'Make a test payment' },
    ...{ result: 'View the payment', add: 'Add a test receiver', look: 'Look at the webhooks' },
    ...{ sendTest: 'Send test event', valid: 'Signature valid', address: 'Address of the payment link' },
  },
  {
    ...{ locale: 'pt-BR', title: 'Primeiros passos', connect: 'Conectar gateway_1', key: 'Chave secreta' },
    ...{ save: 'Salvar', one: '1 de 4 concluídos', two: '2 de 4 concluídos', three: '3 de 4 concluídos' },
    ...{ pay: 'Fazer um pagamento de teste', result: 'Ver o pagamento', add: 'Adicionar receptor de teste' },
    ...{ look: 'Ver os webhooks', sendTest: 'Enviar evento de teste', valid: 'Assinatura válida' },
    address: 'Endereço do link de pagamento',
  },
])('the first steps of a new company, in $locale', (texts) => {
  it('are made on the overview, ticked off by what happens, and go when all are done', async () => {
    const company = await registerDashboardCompany(api, []);
    const link = await newLink(company.byKey);
    visit = await openDashboard(browser, api, company, '/', { locale: texts.locale });
    const { page } = visit;
    const list = steps(page, texts.title);
    await list.getByRole('button', { name: texts.connect }).click();
    await page.getByLabel(texts.key).fill('sk_test_first_steps');
    await page.getByRole('button', { name: texts.save }).click();
    await list.getByText(texts.one).waitFor();
    await list.getByRole('button', { name: texts.pay }).click();
    await list.getByRole('link', { name: texts.result }).waitFor();
    await list.getByText(texts.two).waitFor();
    await list.getByRole('button', { name: texts.add }).click();
    await list.getByRole('link', { name: texts.look }).waitFor();
    await list.getByLabel(texts.address, { exact: true }).getByText(link.checkout_url).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await list.getByRole('link', { name: texts.look }).click();
    await page.getByRole('button', { name: texts.sendTest }).click();
    await page.getByRole('button', { name: /webhook\.test/ }).click();
    await page.getByText(texts.valid).first().waitFor();
    await page.getByText('webhook-signature').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(`${api.baseUrl}/dashboard/`);
    await list.getByText(texts.three).waitFor();
    await CheckoutVisit.atLink(api, link);
    await list.waitFor({ state: 'hidden' });
  });
});

describe('the first steps', () => {
  const open = async (company: DashboardCompany): Promise<Page> => {
    visit = await openDashboard(browser, api, company, '/', { locale: 'en-US' });
    await steps(visit.page, 'First steps').waitFor();
    return visit.page;
  };

  it('make one test payment for clicks in two tabs before its result is known', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const page = await open(company);
    const tab = await page.context().newPage();
    await tab.goto(`${api.baseUrl}/dashboard/`);
    const held: Array<() => void> = [];
    for (const each of [page, tab])
      await each.route('**/user/onboarding/test-payment', async (route) => {
        await new Promise<void>((resolve) => held.push(resolve));
        await route.continue();
      });
    for (const each of [page, tab]) await each.getByRole('button', { name: 'Make a test payment' }).click();
    await waitFor(async () => held.length === 2);
    for (const release of held) release();
    for (const each of [page, tab]) await each.getByRole('link', { name: 'View the payment' }).waitFor();
    const { meta } = expectStatus(await company.byToken('listUserPayments'), 200).body;
    expect(meta.total).toBe(1);
  });

  it('go for the whole company when they are dismissed', async () => {
    const company = await registerDashboardCompany(api, []);
    const page = await open(company);
    await page.getByRole('button', { name: 'Dismiss the first steps' }).click();
    await steps(page, 'First steps').waitFor({ state: 'hidden' });
    const { data } = expectStatus(await company.byToken('getOnboarding'), 200).body;
    expect(data).toMatchObject({ dismissed: true, completed: false });
  });
});
