import { source } from 'axe-core';
import type { Page } from 'playwright-core';

/** How much a fault keeps people out, the worst first. */
export const IMPACTS = ['critical', 'serious', 'moderate', 'minor'] as const;

interface Violation {
  readonly id: string;
  readonly impact: (typeof IMPACTS)[number];
  readonly nodes: ReadonlyArray<{ readonly html: string }>;
}

export interface Examination {
  readonly violations: readonly Violation[];
  /** Rules that the page keeps. */
  readonly kept: number;
}

/** The page as it is, by all of axe's rules; nothing is left out. */
export async function examine(page: Page): Promise<Examination> {
  await page.evaluate(source);
  return page.evaluate<Examination>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations, passes }) => ({ violations, kept: passes.length }))`,
  );
}

/** What axe finds wrong on the page, each with the element. */
export async function inaccessible(page: Page): Promise<string[]> {
  const { violations } = await examine(page);
  return violations.map(describeViolation);
}

export function describeViolation({ id, impact, nodes }: Violation): string {
  return `${impact}: ${id}: ${nodes[0]?.html ?? ''}`;
}
