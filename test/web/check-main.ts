import { table } from '../bench/support/table';
import { describeViolation, examine, IMPACTS } from './support/axe';
import type { FirstLoad } from './support/first-load';
import { withWebStack } from './support/play-scene';

/**
 * `npm run check:web`: how much script a browser fetches before it shows the checkout and the dashboard, and what axe finds
 * on each page, on a phone and on a desktop. Exits with 1 when the checkout is too heavy, or when something keeps people out.
 */

const KB = 1_000;
/** Of script, compressed: a phone on a slow network shows it within a few seconds. */
const CHECKOUT_LIMIT_BYTES = 150 * KB;

/** The first page of each, which is what loads it. */
const ENTRIES: Readonly<Record<string, { readonly name: string; readonly limitBytes: number | null }>> = {
  'checkout-details': { name: 'checkout', limitBytes: CHECKOUT_LIMIT_BYTES },
  'dashboard-overview': { name: 'dashboard', limitBytes: null },
};

async function main(): Promise<void> {
  const loads = new Map<string, FirstLoad>();
  const findings: string[][] = [];
  const faults: string[] = [];
  await withWebStack((house) =>
    house.eachScene(async (page, scene, screen, firstLoad) => {
      if (scene.name in ENTRIES && !loads.has(scene.name)) loads.set(scene.name, firstLoad);
      const { violations, kept } = await examine(page);
      const counts = IMPACTS.map((impact) => violations.filter((one) => one.impact === impact).length);
      findings.push([`${scene.name}, ${screen}`, ...counts.map(String), String(kept)]);
      const grave = violations.filter(({ impact }) => impact === 'critical' || impact === 'serious');
      faults.push(...grave.map((one) => `${scene.name}, ${screen}: ${describeViolation(one)}`));
    }),
  );
  const sizes = [...loads].map(([scene, load]) => sizeRow(scene, load, faults));
  console.log(
    `\n${table([['first load, gzip', 'scripts', 'script', 'limit', 'style'], ...sizes]).join('\n')}`,
  );
  console.log(`\n${table([['axe finds', ...IMPACTS, 'rules kept'], ...findings]).join('\n')}\n`);
  if (faults.length === 0) return;
  console.log(faults.join('\n'));
  process.exitCode = 1;
}

function sizeRow(scene: string, { scripts, scriptBytes, styleBytes }: FirstLoad, faults: string[]): string[] {
  const { name, limitBytes } = ENTRIES[scene] ?? { name: scene, limitBytes: null };
  if (limitBytes !== null && scriptBytes > limitBytes) faults.push(`the ${name} is heavier than its limit`);
  const limit = limitBytes === null ? '' : kilobytes(limitBytes);
  return [name, String(scripts), kilobytes(scriptBytes), limit, kilobytes(styleBytes)];
}

function kilobytes(bytes: number): string {
  return `${(bytes / KB).toFixed(1)} KB`;
}

void main();
