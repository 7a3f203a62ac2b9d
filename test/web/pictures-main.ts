import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../../src/paths';
import { withWebStack } from './support/play-scene';

/** `npm run pictures`: takes the README's pictures anew, of the pages as they are. Look at every one of them. */

const FOLDER = join(projectRoot, 'docs', 'pictures');

async function main(): Promise<void> {
  await withWebStack((house) =>
    house.eachScene(async (page, { name, isLong = false }, screen) => {
      const file = join(FOLDER, `${name.replace('-', '/')}-${screen}.png`);
      mkdirSync(dirname(file), { recursive: true });
      const picture = await page.screenshot({ fullPage: !isLong, animations: 'disabled', caret: 'hide' });
      writeFileSync(file, picture);
      console.log(`${relative(projectRoot, file)}  ${Math.round(picture.length / 1024)} KB`);
    }),
  );
}

void main();
