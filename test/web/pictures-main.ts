import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../../src/paths';
import { withWebStack } from './support/web-stack';

/**
 * `npm run pictures`: takes new screenshots for the documentation. Check every one of them. `npm run pictures -- charged` takes only those
 * whose name has this text.
 */

const FOLDER = join(projectRoot, 'docs', 'pictures');

async function main(): Promise<void> {
  await withWebStack((stack) =>
    stack.eachView(async (page, { name, isLong = false }, device) => {
      const file = join(FOLDER, `${name.replace('-', '/')}-${device}.png`);
      mkdirSync(dirname(file), { recursive: true });
      const screenshot = await page.screenshot({ fullPage: !isLong, animations: 'disabled', caret: 'hide' });
      writeFileSync(file, screenshot);
      console.log(`${relative(projectRoot, file)}  ${Math.round(screenshot.length / 1024)} KB`);
    }, process.argv[2]),
  );
}

void main();
