import { source } from 'axe-core';
import type { Page } from 'playwright-core';

/** Severity of an accessibility violation, worst first. */
export const IMPACTS = ['critical', 'serious', 'moderate', 'minor'] as const;

interface Violation {
  readonly id: string;
  readonly impact: (typeof IMPACTS)[number];
  readonly nodes: ReadonlyArray<{ readonly html: string }>;
}

export interface AxeResult {
  readonly violations: readonly Violation[];
  /** Number of rules that the page passes. */
  readonly passedRules: number;
}

/** Runs all rules of axe on the page. */
export async function runAxe(page: Page): Promise<AxeResult> {
  await page.evaluate(source);
  return page.evaluate<AxeResult>(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations, passes }) => ({ violations, passedRules: passes.length }))`,
  );
}

/** The violations that axe finds, each with its element. */
export async function axeViolations(page: Page): Promise<string[]> {
  const { violations } = await runAxe(page);
  return violations.map(describeViolation);
}

export function describeViolation({ id, impact, nodes }: Violation): string {
  return `${impact}: ${id}: ${nodes[0]?.html ?? ''}`;
}
