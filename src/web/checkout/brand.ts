import { darkenedOnWhite, readableOn } from '../ui/contrast';
import { onThisHost, type Offer } from './pay/billing-address';

const NEUTRAL = '#1f2a44';
const READABLE = 4.5;

/** Gives the page the company's color, legible whatever it is, and its logo as the icon of the tab. */
export function dressPage({ color, logo_url: logo }: Offer['company']): void {
  const brand = color ?? NEUTRAL;
  const { style } = document.documentElement;
  style.setProperty('--brand', brand);
  style.setProperty('--on-brand', readableOn(brand));
  style.setProperty('--accent', darkenedOnWhite(brand, READABLE));
  if (logo === null) return;
  document.querySelector('link[rel="icon"]')?.setAttribute('href', onThisHost(logo));
}
