import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Half as long as what the package exports, and each page that is looked at compiles it. */
const SOURCE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

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

/** Runs all rules of axe on the page, or only those named. */
export async function runAxe(page: Page, rules: readonly string[] = []): Promise<AxeResult> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(SOURCE);
  const options = { resultTypes: ['violations'], ...(rules.length > 0 && { runOnly: rules }) };
  return page.evaluate<AxeResult>(
    `axe.run(document, ${JSON.stringify(options)}).then(({ violations, passes }) => ({ violations, passedRules: passes.length }))`,
  );
}

/** The violations that axe finds, each with its element. */
export async function axeViolations(page: Page): Promise<string[]> {
  return described(await runAxe(page));
}

/** Those of the rules that depend on colors, for a page whose other rules are checked in another theme. */
export async function colorViolations(page: Page): Promise<string[]> {
  return described(await runAxe(page, ['color-contrast', 'link-in-text-block']));
}

const described = ({ violations }: AxeResult): string[] => violations.map(describeViolation);

export function describeViolation({ id, impact, nodes }: Violation): string {
  return `${impact}: ${id}: ${nodes[0]?.html ?? ''}`;
}
