import type { Browser } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { registerDashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi, type EngineApi } from '../api/support/engine-api';
import { sale, to } from '../api/support/payment-scenario';
import { answer, startWebhookReceiver, type WebhookReceiver } from '../support/stack/webhook-receiver';
import { waitFor } from '../support/stack/wait-for';
import { axeViolations } from './support/axe';
import { startBrowser, type PageVisit } from './support/browser';
import { openDashboard } from './support/dashboard-page';

let api: EngineApi;
let browser: Browser;
let receiver: WebhookReceiver;
let visit: PageVisit;

beforeAll(async () => {
  await buildWeb();
  [api, browser, receiver] = await Promise.all([
    startEngineApi({ WEBHOOK_RETRY_SCHEDULE: '0.1' }),
    startBrowser(),
    startWebhookReceiver(),
  ]);
}, 120_000);

afterEach(async () => {
  expect(visit.consoleErrors).toEqual([]);
  await visit.close();
});

afterAll(async () => {
  receiver.close();
  await browser.close();
  await api.stop();
});

/** Words of the sentences that the API writes. */
const ENGLISH =
  /\b(?:Payment|Routed|Charge|sent|approved|declined|answered|order|endpoint|delivered|idempotency)\b/i;

const LANGUAGES = [
  {
    ...{ locale: 'en-US', refund: 'Refund', partial: 'Partial amount', amount: 'Amount' },
    ...{ tooMuch: 'At most R$15.00.', done: 'R$5.00 of R$20.00 is refunded, being refunded or disputed.' },
    ...{ status: 'Status', failed: 'Failed', delivered: 'Delivered', resend: 'Resend' },
    ...{ timeline: 'Timeline', notDelivered: 'transaction.approved not delivered' },
    ...{ twoAttempts: '2 attempts' },
    ...{ all: 'Resend all failed (2)', resent: 'Being sent again: 2.', last: 'last response 503' },
  },
  {
    ...{ locale: 'pt-BR', refund: 'Estornar', partial: 'Valor parcial', amount: 'Valor' },
    ...{ tooMuch: 'No máximo R$ 15,00.', done: 'R$ 5,00 de R$ 20,00 já foi estornado' },
    ...{ status: 'Situação', failed: 'Falhou', delivered: 'Entregue', resend: 'Reenviar' },
    ...{ timeline: 'Linha do tempo', notDelivered: 'transaction.approved não entregue' },
    ...{ twoAttempts: '2 tentativas' },
    ...{ all: 'Reenviar as que falharam (2)', resent: 'Reenviando: 2.', last: 'última resposta 503' },
  },
];

describe.each(LANGUAGES)('in $locale', (texts) => {
  const { locale } = texts;

  it('a refund shows how much is left, and more than that is not sent', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const payment = await sale(company.byKey, { amount: 2_000 });
    expectStatus(await company.byKey('refundPayment', to(payment, { body: { amount: 500 } })), 200);
    visit = await openDashboard(browser, api, company, `/payments/${payment.transaction_id}`, { locale });
    const { page } = visit;
    let requests = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/refund')) requests += 1;
    });
    await page.getByRole('button', { name: texts.refund, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(texts.done.replaceAll(' ', ' ')).waitFor();
    await dialog.getByLabel(texts.partial).check();
    await dialog.getByLabel(texts.amount, { exact: true }).fill(locale === 'pt-BR' ? '15,01' : '15.01');
    await dialog.getByRole('button', { name: texts.refund }).click();
    await dialog.getByText(texts.tooMuch).waitFor();
    expect(requests).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByLabel(texts.amount, { exact: true }).fill(locale === 'pt-BR' ? '15,00' : '15.00');
    await dialog.getByRole('button', { name: texts.refund }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(requests).toBe(1);
  });

  it('the story of a payment has one line for a delivery with its retries, in the language of the browser', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const body = { url: receiver.url, events: ['transaction.approved'] };
    expectStatus(await company.byToken('createWebhookEndpoint', { body }), 201);
    receiver.behave(answer(503));
    const { transaction_id: id } = await sale(company.byKey, { amount: 2_000, merchant_order_id: '1001' });
    await waitFor(async () => {
      const detail = expectStatus(await company.byToken('getUserPayment', { params: { id } }), 200);
      return detail.body.data.deliveries[0]?.status === 'failed';
    });
    visit = await openDashboard(browser, api, company, `/payments/${id}`, { locale });
    const { page } = visit;
    const story = page.getByRole('region', { name: texts.timeline });
    const line = story.getByRole('group').filter({ hasText: texts.notDelivered });
    await line.getByText(texts.twoAttempts).waitFor();
    expect(await story.getByText(texts.notDelivered).count()).toBe(1);
    expect(await line.getByRole('row').count()).toBe(0);
    await line.getByText(texts.notDelivered).click();
    expect(await line.getByRole('row').count()).toBe(3);
    // Without the event's name and the gateway's own words.
    const told = (await story.innerText())
      .replaceAll('transaction.approved', '')
      .replace('00 · approved', '');
    if (locale === 'pt-BR') expect(told).not.toMatch(ENGLISH);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('failed deliveries show order, amount and last response, and are all sent again by one button', async () => {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    const body = { url: receiver.url, events: ['transaction.approved'] };
    const { id } = expectStatus(await company.byToken('createWebhookEndpoint', { body }), 201).body;
    receiver.behave(answer(503));
    await sale(company.byKey, { amount: 18_990, merchant_order_id: 'order-a' });
    await sale(company.byKey, { amount: 2_000, merchant_order_id: 'order-b' });
    const count = async (status: string) => {
      const request = { params: { id: String(id) }, query: { status } };
      return expectStatus(await company.byToken('listWebhookDeliveries', request), 200).body.meta.total;
    };
    await waitFor(async () => (await count('failed')) === 2);
    receiver.behave(answer(204));
    visit = await openDashboard(browser, api, company, `/webhooks/${id}`, { locale });
    const { page } = visit;
    await page.getByLabel(texts.status).selectOption({ label: texts.delivered });
    await page.getByText('order-a').waitFor({ state: 'hidden' });
    await page.getByLabel(texts.status).selectOption({ label: texts.failed });
    const row = page.getByRole('button', { name: /order-a/ });
    await row.getByText(texts.last).waitFor();
    expect(await row.innerText()).toMatch(/R\$\s?189[.,]90/);
    expect(await axeViolations(page)).toEqual([]);
    await page.getByRole('button', { name: texts.all }).click();
    await page.getByRole('dialog').getByRole('button', { name: texts.resend, exact: true }).click();
    await page.getByText(texts.resent).waitFor();
    await waitFor(async () => (await count('delivered')) === 2);
    await page.getByRole('button', { name: texts.all }).waitFor({ state: 'hidden' });
  });
});
