/** What a company's data is: `test` data never moves real money. Data of one mode is invisible in the other. */
export const MODES = ['test', 'live'] as const;
export type Mode = (typeof MODES)[number];

export function isMode(text: unknown): text is Mode {
  return MODES.some((mode) => mode === text);
}

export function otherMode(mode: Mode): Mode {
  return mode === 'test' ? 'live' : 'test';
}

/**
 * The id that owns the company's rows of a mode: its own id in the deployment's mode, and minus that id in the other mode
 * (docs/decisions/modes.md).
 */
export function companyIdIn(mode: Mode, company: { readonly id: number; readonly mode: Mode }): number {
  return company.mode === mode ? company.id : -company.id;
}

/** The company's own id, to which users and the audit log belong, and which the API shows. */
export function ownCompanyId(companyId: number): number {
  return Math.abs(companyId);
}

/** The rows of companies whose ids have this sign; null for all rows. A company's own row has the deployment's mode. */
export type CompanySign = 1 | -1 | null;
