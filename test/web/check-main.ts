import { table } from '../bench/support/table';
import { describeViolation, runAxe, IMPACTS } from './support/axe';
import type { FirstLoad } from './support/first-load';
import { withWebStack } from './support/web-stack';

/**
 * `npm run check:web`: reports the script size of the first load of checkout and dashboard, and axe violations of each
 * page on a phone and a desktop. Exits with 1 if the checkout exceeds its limit or axe finds a serious violation.
 */

const KB = 1_000;
/** Compressed script; loads within a few seconds on a slow mobile network. */
const CHECKOUT_LIMIT_BYTES = 150 * KB;

/** The view that loads each page for the first time. */
const ENTRIES: Readonly<Record<string, { readonly name: string; readonly limitBytes: number | null }>> = {
  'checkout-details': { name: 'checkout', limitBytes: CHECKOUT_LIMIT_BYTES },
  'dashboard-overview': { name: 'dashboard', limitBytes: null },
};

async function main(): Promise<void> {
  const loads = new Map<string, FirstLoad>();
  const findings: string[][] = [];
  const problems: string[] = [];
  await withWebStack((stack) =>
    stack.eachView(async (page, view, device, firstLoad) => {
      if (view.name in ENTRIES && !loads.has(view.name)) loads.set(view.name, firstLoad);
      const { violations, passedRules } = await runAxe(page);
      const counts = IMPACTS.map((impact) => violations.filter((one) => one.impact === impact).length);
      findings.push([`${view.name}, ${device}`, ...counts.map(String), String(passedRules)]);
      const serious = violations.filter(({ impact }) => impact === 'critical' || impact === 'serious');
      problems.push(...serious.map((one) => `${view.name}, ${device}: ${describeViolation(one)}`));
    }),
  );
  const sizes = [...loads].map(([view, load]) => sizeRow(view, load, problems));
  console.log(
    `\n${table([['first load, gzip', 'scripts', 'script', 'limit', 'style'], ...sizes]).join('\n')}`,
  );
  console.log(`\n${table([['axe finds', ...IMPACTS, 'rules passed'], ...findings]).join('\n')}\n`);
  if (problems.length === 0) return;
  console.log(problems.join('\n'));
  process.exitCode = 1;
}

function sizeRow(
  view: string,
  { scripts, scriptBytes, styleBytes }: FirstLoad,
  problems: string[],
): string[] {
  const { name, limitBytes } = ENTRIES[view] ?? { name: view, limitBytes: null };
  if (limitBytes !== null && scriptBytes > limitBytes) problems.push(`the ${name} is heavier than its limit`);
  const limit = limitBytes === null ? '' : formatKilobytes(limitBytes);
  return [name, String(scripts), formatKilobytes(scriptBytes), limit, formatKilobytes(styleBytes)];
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / KB).toFixed(1)} KB`;
}

void main();
