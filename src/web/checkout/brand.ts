import { darkenForWhite, readableOn } from '../ui/contrast';
import { onCurrentHost, type CheckoutOffer } from './page-data';

const DEFAULT_COLOR = '#1f2a44';
const MIN_CONTRAST = 4.5;

/** Applies the company's brand color, adjusted for contrast, and uses its logo as the favicon. */
export function applyBrand({ color, logo_url: logo }: CheckoutOffer['company']): void {
  const brand = color ?? DEFAULT_COLOR;
  const { style } = document.documentElement;
  style.setProperty('--brand', brand);
  style.setProperty('--on-brand', readableOn(brand));
  style.setProperty('--accent', darkenForWhite(brand, MIN_CONTRAST));
  if (logo === null) return;
  document.querySelector('link[rel="icon"]')?.setAttribute('href', onCurrentHost(logo));
}
