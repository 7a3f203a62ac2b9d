import { randomUUID } from 'node:crypto';
import type { Frame, Page } from 'playwright-core';
import { slugsOf, newLink, type PaymentLinkBody } from '../../api/checkout/checkout-buyer';
import { expectStatus } from '../../api/support/api-client';
import type { EngineApi } from '../../api/support/engine-api';
import type { DashboardCompany } from '../../api/dashboard/dashboard-company';

/* Page object of the checkout, with the English texts. */

/** The checkout as a page of its own, or embedded in a frame. */
type PageOrFrame = Page | Frame;

/** A card that the bank declines as lost. */
export const LOST_CARD = '4000000000009987';
/** A card with insufficient funds. */
export const INSUFFICIENT_FUNDS_CARD = '4000000000009995';

/** URL of a link's page on the test's server. */
export function checkoutUrl({ baseUrl }: Pick<EngineApi, 'baseUrl'>, link: PaymentLinkBody): string {
  const { companySlug, linkSlug } = slugsOf(link);
  return `${baseUrl}/checkout/${companySlug}/${linkSlug}`;
}

export async function createPlanLink(
  { byKey }: DashboardCompany,
  plan: object = {},
  link: object = {},
): Promise<PaymentLinkBody> {
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

/** A coupon for 25% off the first charge. */
export async function createCoupon(
  { byKey }: DashboardCompany,
  change: object = {},
): Promise<{ readonly code: string }> {
  const body = {
    ...{ code: randomUUID().replaceAll('-', '').slice(0, 12), name: 'Welcome', valid_from: '2026-01-01' },
    ...{ discount_type: 'percentage', discount_value: 25, max_cycles: 1, ...change },
  };
  return expectStatus(await byKey('createCoupon', { body }), 201).body.data;
}

export async function enterDetails(
  page: PageOrFrame,
  { coupon }: { readonly coupon?: string } = {},
): Promise<void> {
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

export async function enterCard(page: PageOrFrame, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiry').fill('12/30');
  await page.getByLabel(/^Security code/).fill('123');
}

/** The submit button, whatever its label. */
export const payButton = (page: PageOrFrame) =>
  page.getByRole('button', { name: /^(?:Pay R|Subscribe|Start the free)/ });

export async function payByCard(page: PageOrFrame, number: string): Promise<void> {
  await enterCard(page, number);
  await payButton(page).click();
}

export async function generatePix(page: PageOrFrame): Promise<void> {
  await page.getByRole('radio', { name: 'Pix' }).check();
  await page.getByRole('button', { name: 'Generate Pix code' }).click();
  await page.getByRole('img', { name: 'Pix QR code' }).waitFor();
}

export const waitForPaid = (page: PageOrFrame) =>
  page.getByRole('heading', { name: 'Payment approved' }).waitFor();
export const waitForDeclined = (page: PageOrFrame) =>
  page.getByText('The payment was not approved').waitFor();
