import type { Browser, Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { newLink } from '../api/checkout/checkout-buyer';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { APPROVED_CARD } from '../support/fixtures/payments';
import { axeViolations } from './support/axe';
import { openPage, startBrowser, type PageVisit } from './support/browser';
import { checkoutUrl, createCoupon, createPlanLink } from './support/checkout-page';

let api: EngineApi;
let browser: Browser;
let company: DashboardCompany;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser] = await Promise.all([
    startEngineApi({ RATE_LIMIT_PUBLIC_PER_MINUTE: '1000' }),
    startBrowser(),
  ]);
  company = await registerDashboardCompany(api, ['gateway_1'], { calledBack: 'signed' });
}, 180_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  expect(await axeViolations(visit.page)).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  await browser.close();
  await api.stop();
});

const LANGUAGES = {
  'en-US': {
    labels: ['Full name', 'Email', 'CPF or CNPJ', 'Continue to payment'],
    coupon: ['I have a coupon', 'Coupon'],
    card: ['Card number', 'Expiry', /^Security code/, /^Pay R/, /^Subscribe/],
    consent: /By subscribing, you authorize .+ to charge your card (.+) until you cancel\.$/,
    monthly: 'R$99.90 per month',
    first: 'R$74.92 for the first charge, then R$99.90 per month',
    three: 'R$74.92 per month for the first 3 charges, then R$99.90 per month',
    always: 'R$74.92 per month',
    subscribed: 'Subscription confirmed',
    paid: 'Payment approved',
    another: 'Make another payment',
    print: 'Print the receipt',
    receipt: /Paid by\s+Joana Lima[^]*Item[^]*Amount\s+R\$[^]*Paid with[^]*Date[^]*Order/,
    pix: 'You confirm it in your bank’s app, and no card is needed.',
    cardDetails: /card details/,
  },
  'pt-BR': {
    labels: ['Nome completo', 'E-mail', 'CPF ou CNPJ', 'Continuar para o pagamento'],
    coupon: ['Tenho um cupom', 'Cupom'],
    card: ['Número do cartão', 'Validade', /^Código/, /^Pagar R/, /^Assinar/],
    consent: /Ao assinar, você autoriza .+ a cobrar no seu cartão (.+), até que você cancele\.$/,
    monthly: 'R$ 99,90 por mês',
    first: 'R$ 74,92 na primeira cobrança, depois R$ 99,90 por mês',
    three: 'R$ 74,92 por mês nas 3 primeiras cobranças, depois R$ 99,90 por mês',
    always: 'R$ 74,92 por mês',
    subscribed: 'Assinatura confirmada',
    paid: 'Pagamento aprovado',
    another: 'Fazer outro pagamento',
    print: 'Imprimir o comprovante',
    receipt: /Pago por\s+Joana Lima[^]*Item[^]*Valor\s+R\$[^]*Pago com[^]*Data[^]*Pedido/,
    pix: 'Você confirma no app do seu banco, sem precisar de cartão.',
    cardDetails: /dados do cartão/,
  },
} as const;

describe.each(Object.entries(LANGUAGES))('in %s', (locale, texts) => {
  let page: Page;

  beforeEach(async () => {
    visit = await openPage(browser, { viewport: { width: 390, height: 844 }, locale });
    ({ page } = visit);
  });

  async function enterBuyer(url: string, coupon?: string): Promise<void> {
    await page.goto(url);
    const [name, email, document, next] = texts.labels;
    await page.getByLabel(name).fill('Joana Lima');
    await page.getByLabel(email).fill('joana@example.com');
    await page.getByLabel(document).fill('39053344705');
    if (coupon !== undefined) {
      await page.getByRole('button', { name: texts.coupon[0] }).click();
      await page.getByLabel(texts.coupon[1]).fill(coupon);
    }
    await page.getByRole('button', { name: next }).click();
  }

  async function payByCard(button: RegExp): Promise<void> {
    const [number, expiry, code] = texts.card;
    await page.getByLabel(number).fill(APPROVED_CARD);
    await page.getByLabel(expiry).fill('12/30');
    await page.getByLabel(code).fill('123');
    await page.getByRole('button', { name: button }).click();
  }

  it('the consent to a subscription names the discounted charges and the price after them', async () => {
    const url = checkoutUrl(api, await createPlanLink(company));
    const expected = [
      [undefined, texts.monthly],
      [1, texts.first],
      [3, texts.three],
      [null, texts.always],
    ] as const;
    for (const [maxCycles, prices] of expected) {
      const coupon = maxCycles === undefined ? null : await createCoupon(company, { max_cycles: maxCycles });
      await enterBuyer(url, coupon?.code);
      const consent = await page.getByText(texts.consent).innerText();
      expect(texts.consent.exec(consent.replaceAll(/\s/g, ' '))?.[1]).toBe(prices);
      await page.evaluate('sessionStorage.clear()');
    }
  });

  it('the page of a paid subscription does not offer to subscribe again', async () => {
    await enterBuyer(checkoutUrl(api, await createPlanLink(company)));
    await payByCard(texts.card[4]);
    await page.getByRole('heading', { name: texts.subscribed }).waitFor();
    expect(await page.getByRole('button', { name: texts.another }).count()).toBe(0);
  });

  it('the receipt is printed without buttons, and printing keeps the page from going back to the shop', async () => {
    const link = await newLink(company.byKey, { success_url: `${api.baseUrl}/health/live` });
    await enterBuyer(checkoutUrl(api, link));
    await page.evaluate('window.print = () => dispatchEvent(new Event("beforeprint"))');
    await payByCard(texts.card[3]);
    await page.getByRole('heading', { name: texts.paid }).waitFor();
    await page.getByRole('button', { name: texts.print }).click();
    await page.getByText(/^Redirec/).waitFor({ state: 'detached' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('main').innerText()).toMatch(texts.receipt);
    expect(await page.locator('button:visible, a:visible').count()).toBe(0);
    await page.emulateMedia({ media: 'screen' });
  });

  it('the step that generates a Pix code says nothing of a card', async () => {
    await enterBuyer(checkoutUrl(api, await newLink(company.byKey)));
    await page.getByText(texts.cardDetails).waitFor();
    await page.getByRole('radio', { name: 'Pix' }).check();
    await page.getByText(texts.pix).waitFor();
    expect(await page.getByText(texts.cardDetails).count()).toBe(0);
  });
});
