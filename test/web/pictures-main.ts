import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../src/paths';
import { withPlayhouse } from './support/play';

/** `npm run pictures`: takes the README's pictures anew, of the pages as they are. Look at every one of them. */

const FOLDER = join(projectRoot, 'src', 'web', 'pictures');

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await withPlayhouse((house) =>
    house.eachScene(async (page, { name, isLong = false }, screen) => {
      const file = join(FOLDER, `${name}-${screen}.png`);
      const picture = await page.screenshot({ fullPage: !isLong, animations: 'disabled', caret: 'hide' });
      writeFileSync(file, picture);
      console.log(`${relative(projectRoot, file)}  ${Math.round(picture.length / 1024)} KB`);
    }),
  );
}

void main();
