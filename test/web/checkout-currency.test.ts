import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { newLink } from '../api/checkout/checkout-buyer';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { APPROVED_CARD } from '../support/fixtures/payments';
import { axeViolations } from './support/axe';
import { openPage, startBrowser } from './support/browser';
import { checkoutUrl } from './support/checkout-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([
    startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }),
    startBrowser(),
  ]);
  company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
}, 180_000);

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const TEXTS = {
  'en-US': {
    ...{ name: 'Full name', email: 'Email', document: 'CPF or CNPJ', toPayment: 'Continue to payment' },
    ...{
      number: 'Card number',
      expiry: 'Expiry',
      code: /^Security code/,
      pay: /^Pay/,
      paid: 'Payment approved',
    },
  },
  'pt-BR': {
    ...{
      name: 'Nome completo',
      email: 'E-mail',
      document: 'CPF ou CNPJ',
      toPayment: 'Continuar para o pagamento',
    },
    ...{
      number: 'Número do cartão',
      expiry: 'Validade',
      code: /^Código/,
      pay: /^Pagar/,
      paid: 'Pagamento aprovado',
    },
  },
} as const;

describe.each(['en-US', 'pt-BR'] as const)('a browser in %s', (locale) => {
  const texts = TEXTS[locale];

  it('is asked for no CPF or CNPJ to pay in dollars', async () => {
    const { page, consoleErrors, close } = await openPage(browser, {
      locale,
      viewport: { width: 390, height: 844 },
    });
    await page.goto(checkoutUrl(api, await newLink(company.byKey, { currency: 'USD' })));
    await page.getByLabel(texts.name).fill('Jane Miller');
    await page.getByLabel(texts.email).fill('jane@example.com');
    expect(await page.getByLabel(texts.document).count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: texts.toPayment }).click();
    await page.getByLabel(texts.number).fill(APPROVED_CARD);
    await page.getByLabel(texts.expiry).fill('12/30');
    await page.getByLabel(texts.code).fill('123');
    await page.getByRole('button', { name: texts.pay }).click();
    await page.getByRole('heading', { name: texts.paid }).waitFor();
    expect(consoleErrors).toEqual([]);
    await close();
  });

  it('is asked for a CPF or CNPJ to pay in reais', async () => {
    const { page, consoleErrors, close } = await openPage(browser, { locale });
    await page.goto(checkoutUrl(api, await newLink(company.byKey)));
    await page.getByLabel(texts.name).fill('Jane Miller');
    await page.getByLabel(texts.email).fill('jane@example.com');
    await page.getByRole('button', { name: texts.toPayment }).click();
    expect(await page.getByLabel(texts.document).getAttribute('aria-invalid')).toBe('true');
    expect(consoleErrors).toEqual([]);
    await close();
  });
});
