import { randomUUID } from 'node:crypto';
import type { Frame, Page } from 'playwright-core';
import { addressOf, newLink, type Link } from '../../api/checkout/checkout-buyer';
import { expectStatus } from '../../api/support/api-client';
import type { EngineApi } from '../../api/support/engine-api';
import type { Shop } from '../../api/dashboard/dashboard-company';

/* What a buyer does at the checkout page, by the words that an English browser shows. */

/** Where the checkout is: a page of its own, or a frame in somebody else's. */
type Till = Page | Frame;

/** A card whose bank says that it was lost. */
export const LOST_CARD = '4000000000009987';
/** A card without enough money. */
export const EMPTY_CARD = '4000000000009995';

/** Where a link's page is, at the port that the test's service listens on. */
export function pageOf({ baseUrl }: Pick<EngineApi, 'baseUrl'>, link: Link): string {
  const { companySlug, linkSlug } = addressOf(link);
  return `${baseUrl}/checkout/${companySlug}/${linkSlug}`;
}

export async function newPlanLink({ byKey }: Shop, plan: object = {}, link: object = {}): Promise<Link> {
  const body = { name: 'Gold', amount: 9_990, currency: 'BRL', interval: 'monthly', ...plan };
  const { id } = expectStatus(await byKey('createPlan', { body }), 201).body.data;
  return newLink(byKey, {
    name: 'Monthly classes',
    type: 'subscription',
    amount: null,
    plan_id: id,
    ...link,
  });
}

/** A quarter less on the first charge. */
export async function newCoupon({ byKey }: Shop, change: object = {}): Promise<{ readonly code: string }> {
  const body = {
    ...{ code: randomUUID().replaceAll('-', '').slice(0, 12), name: 'Welcome', valid_from: '2026-01-01' },
    ...{ discount_type: 'percentage', discount_value: 25, max_cycles: 1, ...change },
  };
  return expectStatus(await byKey('createCoupon', { body }), 201).body.data;
}

export async function enterDetails(page: Till, { coupon }: { readonly coupon?: string } = {}): Promise<void> {
  await page.getByLabel('Full name').fill('Joana Lima');
  await page.getByLabel('Email').fill('joana@example.com');
  await page.getByLabel('CPF or CNPJ').fill('39053344705');
  if (coupon !== undefined) {
    await page.getByRole('button', { name: 'I have a coupon' }).click();
    await page.getByLabel('Coupon').fill(coupon);
  }
  await page.getByRole('button', { name: 'Continue to payment' }).click();
  await page.getByRole('heading', { name: 'Payment', exact: true }).waitFor();
}

export async function enterCard(page: Till, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/30');
  await page.getByLabel(/^Security code/).fill('123');
}

/** The button that charges, whatever it is called here. */
export const payButton = (page: Till) =>
  page.getByRole('button', { name: /^(?:Pay R|Subscribe|Start the free)/ });

export async function payByCard(page: Till, number: string): Promise<void> {
  await enterCard(page, number);
  await payButton(page).click();
}

export async function getPix(page: Till): Promise<void> {
  await page.getByRole('radio', { name: 'Pix' }).check();
  await page.getByRole('button', { name: 'Get the Pix code' }).click();
  await page.getByRole('img', { name: 'QR code of the Pix' }).waitFor();
}

export const isPaid = (page: Till) => page.getByRole('heading', { name: 'Payment approved' }).waitFor();
export const isDeclined = (page: Till) => page.getByText('The payment was not approved').waitFor();
