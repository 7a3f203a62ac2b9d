import type { Page } from 'playwright-core';
import { buildWeb } from '../../src/dev/build/build-web';
import { paymentRequest, rawCard } from '../support/fixtures/payments';
import startStack from '../support/stack/global-setup';
import stopStack from '../support/stack/global-teardown';
import { registerDashboardCompany, type DashboardCompany } from '../api/dashboard/dashboard-company';
import { expectStatus } from '../api/support/api-client';
import { startEngineApi } from '../api/support/engine-api';
import { table } from '../bench/support/table';
import { startBrowser } from './support/browser';
import { openDashboard, pageTitle } from './support/dashboard-page';

/**
 * `npm run time:support`: how many clicks, keys and seconds support needs from the overview to a payment of which a customer
 * tells no order number. By the search box, and by the lists and filters alone. Seconds are of the machine: a person also reads.
 */

const PAYMENTS = 94;
/** Newer payments than the one that is looked for. */
const NEWER = 40;

const WANTED = {
  name: 'Quitéria Vasconcelos',
  email: 'quiteria@example.com',
  document: '11144477735',
  card: '5555555555554444',
  amount: 18_990,
  order: 'pedido-7731',
};

interface Question {
  readonly asked: string;
  /** What is typed into the search box. */
  readonly text: string;
  /** Finds the payment by lists and filters alone. */
  readonly byLists: (support: Support) => Promise<void>;
}

const QUESTIONS: readonly Question[] = [
  { asked: 'name', text: WANTED.name, byLists: readNames },
  { asked: 'email', text: WANTED.email, byLists: (support) => openEach(support, WANTED.email) },
  { asked: 'amount', text: '189,90', byLists: filterByAmount },
  { asked: 'last four digits', text: '4444', byLists: (support) => openEach(support, '4444') },
  { asked: 'document', text: '111.444.777-35', byLists: (support) => openEach(support, '***.444.777-**') },
];

/** A page whose clicks and keys are counted. */
class Support {
  clicks = 0;
  keys = 0;

  constructor(readonly page: Page) {}

  async click(locator: ReturnType<Page['getByRole']>): Promise<void> {
    this.clicks += 1;
    await locator.click();
  }

  async type(text: string): Promise<void> {
    this.keys += text.length;
    await this.page.keyboard.type(text);
  }

  async press(key: string): Promise<void> {
    this.keys += 1;
    await this.page.keyboard.press(key);
  }

  async back(): Promise<void> {
    this.clicks += 1;
    await this.page.goBack();
    await pageTitle(this.page).getByText('Payments', { exact: true }).waitFor();
  }

  async toPayments(): Promise<void> {
    await this.click(this.page.getByRole('link', { name: 'Payments', exact: true }));
    await this.rows().first().waitFor();
  }

  rows() {
    return this.page
      .getByRole('table')
      .getByRole('row')
      .filter({ has: this.page.getByRole('link') });
  }
}

async function bySearch(support: Support, { text }: Question): Promise<void> {
  const { page } = support;
  await support.press('/');
  await support.type(text);
  const payment = page.getByRole('option', { name: new RegExp(WANTED.order) });
  await payment.waitFor();
  await support.click(payment);
}

async function readNames(support: Support): Promise<void> {
  await support.toPayments();
  const row = support.rows().filter({ hasText: WANTED.name });
  while ((await row.count()) === 0) await nextPage(support);
  await support.click(row.getByRole('link').first());
}

async function nextPage(support: Support): Promise<void> {
  const first = await support.rows().first().innerText();
  await support.click(support.page.getByRole('button', { name: 'Next', exact: true }));
  await support
    .rows()
    .first()
    .filter({ hasNotText: first.split('\n')[0] ?? '' })
    .waitFor();
}

async function filterByAmount(support: Support): Promise<void> {
  const { page } = support;
  await support.toPayments();
  await support.click(page.getByRole('button', { name: 'Filters' }));
  for (const label of ['Amount from', 'Amount to']) {
    await support.click(page.getByLabel(label));
    await support.type('189.90');
  }
  await support.rows().nth(1).waitFor({ state: 'hidden' });
  await support.click(support.rows().filter({ hasText: WANTED.order }).getByRole('link').first());
}

/** The list shows neither email nor card nor document: only the payments do. */
async function openEach(support: Support, shown: string): Promise<void> {
  const { page } = support;
  await support.toPayments();
  for (let index = 0; ; index += 1) {
    const place = index % PER_PAGE;
    if (index > 0 && place === 0) await nextPage(support);
    await support.rows().nth(place).waitFor();
    await support.click(support.rows().nth(place).getByRole('link').first());
    await pageTitle(page)
      .getByText(/^Payment /)
      .waitFor();
    await page.getByRole('region', { name: 'Summary' }).waitFor();
    if ((await page.getByRole('region', { name: 'Summary' }).getByText(shown).count()) > 0) return;
    await support.back();
  }
}

/** Of the list of payments. */
const PER_PAGE = 25;

async function makePayments({ byKey }: DashboardCompany): Promise<void> {
  for (let index = PAYMENTS - 1; index >= 0; index -= 1) {
    const { name, email, document, card, amount, order } = WANTED;
    const isWanted = index === NEWER;
    const other = { name: `Cliente ${NUMERALS[index % 10]}`, email: `cliente-${index}@example.com` };
    const body = paymentRequest({
      merchant_order_id: isWanted ? order : `pedido-${1_000 + index}`,
      amount: isWanted ? amount : 1_000 + index * 137,
      customer: isWanted ? { name, email, document } : { ...other, document: String(20_000_000_000 + index) },
      card: rawCard(isWanted ? card : '4111111111111111'),
    });
    expectStatus(await byKey('createCardPayment', { body }), 200);
  }
}

const NUMERALS = ['Alva', 'Bento', 'Caio', 'Dora', 'Elza', 'Fabio', 'Gil', 'Hugo', 'Iara', 'Joel'];

async function main(): Promise<void> {
  await Promise.all([startStack(), buildWeb()]);
  const [api, browser] = await Promise.all([startEngineApi(), startBrowser()]);
  try {
    const company = await registerDashboardCompany(api, ['gateway_1']);
    await makePayments(company);
    const measure = async (answer: (support: Support) => Promise<void>): Promise<string> => {
      const visit = await openDashboard(browser, api, company);
      await pageTitle(visit.page).waitFor();
      const support = new Support(visit.page);
      const startedAt = performance.now();
      await answer(support);
      await pageTitle(visit.page).getByText(WANTED.order).waitFor();
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
      await visit.close();
      return `${support.clicks} clicks, ${support.keys} keys, ${seconds} s`;
    };
    const rows: string[][] = [];
    for (const question of QUESTIONS) {
      const searched = await measure((support) => bySearch(support, question));
      rows.push([question.asked, await measure(question.byLists), searched]);
    }
    console.log(`From the overview to one of ${PAYMENTS} payments, ${NEWER} of them newer`);
    console.log(table([['known', 'by lists and filters', 'by search'], ...rows]).join('\n'));
  } finally {
    await browser.close();
    await api.stop();
    await stopStack();
  }
}

void main();
