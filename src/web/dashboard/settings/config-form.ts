import type { Schema } from '../../api/client';
import { installmentFormOf, installmentTermsOf, type InstallmentForm } from '../shared/installment-form';

type Config = Schema<'CompanyConfig'>;

/** Named like the API's fields, so that API errors map to form fields. Numbers are as the user types them. */
export interface ConfigForm extends InstallmentForm {
  timezone: string;
  /** In minutes. */
  pix_expires_in: number | string;
  billet_due_days: number | string;
  dunning_days: string[];
  brand: { name: string; logo_url: string; color: string };
  checkout_frame_origins: string[];
  send_receipts: boolean;
  disputes: Schema<'DisputeSettings'>;
}

const SECONDS_PER_MINUTE = 60;

export function formOf(config: Config): ConfigForm {
  const { timezone, pix_expires_in, billet_due_days, dunning_days, brand, checkout_frame_origins } = config;
  return {
    timezone,
    pix_expires_in: pix_expires_in / SECONDS_PER_MINUTE,
    billet_due_days,
    dunning_days: dunning_days.map(String),
    brand: { name: brand.name ?? '', logo_url: brand.logo_source_url ?? '', color: brand.color ?? '' },
    checkout_frame_origins: [...checkout_frame_origins],
    send_receipts: config.send_receipts,
    disputes: { ...config.disputes },
    ...installmentFormOf(config),
  };
}

/** The changes to send. The logo only when its URL has changed, because sending it downloads the logo again. */
export function changeOf(form: ConfigForm, config: Config): Schema<'CompanyConfigChange'> {
  const { brand, dunning_days: days, pix_expires_in: minutes, billet_due_days: dueDays } = form;
  const logo = orNull(brand.logo_url);
  return {
    timezone: form.timezone,
    checkout_frame_origins: form.checkout_frame_origins,
    ...installmentChangeOf(form),
    pix_expires_in: Math.round(Number(minutes) * SECONDS_PER_MINUTE),
    billet_due_days: Number(dueDays),
    dunning_days: days.map(Number),
    send_receipts: form.send_receipts,
    disputes: { ...form.disputes },
    brand: {
      name: orNull(brand.name),
      color: orNull(brand.color),
      ...(logo !== config.brand.logo_source_url && { logo_url: logo }),
    },
  };
}

/** A field that was emptied keeps its value. */
function installmentChangeOf(form: InstallmentForm): Schema<'CompanyConfigChange'> {
  const { interest_rates: rates, ...terms } = installmentTermsOf(form);
  const entered = Object.entries(terms).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(entered), interest_rates: rates ?? [] };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
