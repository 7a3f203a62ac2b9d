import { table } from '../bench/support/table';
import { describeViolation, runAxe, IMPACTS } from './support/axe';
import { firstLoadOf } from './support/first-load';
import type { PageSpeed } from './support/page-speed';
import { SPEED_PAGES } from './support/speed-pages';
import { withWebStack } from './support/web-stack';

/**
 * `npm run check:web`: reports the script size of the first load of checkout, dashboard and documentation, how fast they appear on a slow
 * phone, and axe violations of each page on a phone and a desktop. Exits with 1 if a page exceeds a limit or axe finds a
 * serious violation.
 */

const KB = 1_000;
/** Compressed script; loads within a few seconds on a slow mobile network. */
const CHECKOUT_LIMIT_BYTES = 90 * KB;
/** Without charts and forms, which load after the page is shown. */
const DASHBOARD_LIMIT_BYTES = 225 * KB;
/** Largest contentful paint, as web.dev calls it good. */
const LCP_LIMIT_MS = 2_500;

/** Only the search, the copy buttons and the choice of a language; the text is in the page. */
const DOCS_LIMIT_BYTES = 12 * KB;

const SIZE_LIMITS = {
  checkout: CHECKOUT_LIMIT_BYTES,
  dashboard: DASHBOARD_LIMIT_BYTES,
  docs: DOCS_LIMIT_BYTES,
} as const;
const PAGES = ['checkout', 'dashboard', 'docs'] as const;

async function main(): Promise<void> {
  const findings: string[][] = [];
  const problems: string[] = [];
  let speeds: ReadonlyMap<string, PageSpeed> = new Map();
  await withWebStack(async (stack) => {
    speeds = await stack.speeds(SPEED_PAGES);
    await stack.eachView(async (page, view, device) => {
      const { violations, passedRules } = await runAxe(page);
      const counts = IMPACTS.map((impact) => violations.filter((one) => one.impact === impact).length);
      findings.push([`${view.name}, ${device}`, ...counts.map(String), String(passedRules)]);
      const serious = violations.filter(({ impact }) => impact === 'critical' || impact === 'serious');
      problems.push(...serious.map((one) => `${view.name}, ${device}: ${describeViolation(one)}`));
    });
  });
  const sizes = PAGES.map((page) => sizeRow(page, problems));
  console.log(
    `\n${table([['first load, gzip', 'scripts', 'script', 'limit', 'style'], ...sizes]).join('\n')}`,
  );
  const speedRows = [...speeds].map(([name, speed]) => speedRow(name, speed, problems));
  console.log(
    `\n${table([['4x slower CPU, slow 4G', 'LCP', 'limit', 'data shown', 'requests'], ...speedRows]).join('\n')}`,
  );
  console.log(`\n${table([['axe finds', ...IMPACTS, 'rules passed'], ...findings]).join('\n')}\n`);
  if (problems.length === 0) return;
  console.log(problems.join('\n'));
  process.exitCode = 1;
}

function sizeRow(page: (typeof PAGES)[number], problems: string[]): string[] {
  const { scripts, scriptBytes, styleBytes } = firstLoadOf(page);
  const limitBytes = SIZE_LIMITS[page];
  if (scriptBytes > limitBytes) problems.push(`the ${page}'s script is larger than its limit`);
  return [page, String(scripts), ...[scriptBytes, limitBytes, styleBytes].map(formatKilobytes)];
}

function speedRow(name: string, { lcpMs, shownMs, requests }: PageSpeed, problems: string[]): string[] {
  if (lcpMs > LCP_LIMIT_MS)
    problems.push(`the largest contentful paint of the ${name} is later than its limit`);
  return [name, ...[lcpMs, LCP_LIMIT_MS, shownMs].map(formatSeconds), String(requests)];
}

function formatSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

function formatKilobytes(bytes: number): string {
  return `${(bytes / KB).toFixed(1)} KB`;
}

void main();
