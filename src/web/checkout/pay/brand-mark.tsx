import CreditCard from 'lucide-react/icons/credit-card';
import classes from './brand-mark.module.css';

/** Display names by the brand names of `credit-card-type` and of the API. */
const NAMES: Readonly<Record<string, string>> = {
  visa: 'VISA',
  mastercard: 'Mastercard',
  maestro: 'Maestro',
  'american-express': 'AMEX',
  amex: 'AMEX',
  'diners-club': 'Diners',
  diners: 'Diners',
  elo: 'elo',
  hipercard: 'Hipercard',
  hiper: 'Hiper',
  discover: 'Discover',
  jcb: 'JCB',
};

/** Logo of the brand of the card number being typed. */
export function BrandMark({ type }: { readonly type: string }) {
  const name = NAMES[type];
  if (name === undefined) return <CreditCard size={20} aria-hidden />;
  return (
    <span className={classes.mark} data-brand={type}>
      {type === 'mastercard' && <Circles />}
      {name}
    </span>
  );
}

export function brandName(brand: string | null): string {
  return NAMES[brand ?? ''] ?? '';
}

function Circles() {
  return (
    <svg width="22" height="14" viewBox="0 0 22 14" aria-hidden>
      <circle cx="7" cy="7" r="7" fill="#eb001b" />
      <circle cx="15" cy="7" r="7" fill="#f79e1b" />
      <path d="M11 1.26a7 7 0 0 1 0 11.48 7 7 0 0 1 0-11.48z" fill="#ff5f00" />
    </svg>
  );
}
