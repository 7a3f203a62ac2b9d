import type { Schema } from '../../api/client';

type Config = Schema<'CompanyConfig'>;

/** By the names of the API, so that its errors find their fields; numbers as people enter them. */
export interface ConfigForm {
  timezone: string;
  /** Minutes. */
  pix_expires_in: number | string;
  billet_due_days: number | string;
  dunning_days: string[];
  brand: { name: string; logo_url: string; color: string };
  checkout_frame_origins: string[];
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
  };
}

/** What is to be changed. The logo only when its address is another one: to name it is to have it fetched anew. */
export function changeOf(form: ConfigForm, config: Config): Schema<'CompanyConfigChange'> {
  const { brand, dunning_days: days, pix_expires_in: minutes, billet_due_days: dueDays, ...rest } = form;
  const logo = orNull(brand.logo_url);
  return {
    ...rest,
    pix_expires_in: Math.round(Number(minutes) * SECONDS_PER_MINUTE),
    billet_due_days: Number(dueDays),
    dunning_days: days.map(Number),
    brand: {
      name: orNull(brand.name),
      color: orNull(brand.color),
      ...(logo !== config.brand.logo_source_url && { logo_url: logo }),
    },
  };
}

function orNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
