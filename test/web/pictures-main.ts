import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { projectRoot } from '../../src/paths';
import { startStoryServers } from './support/story-servers';
import { storyViews } from './support/story-views';
import { VIEWS, type PageView } from './support/views';
import { withMoreServers } from './support/web-stack';

/**
 * `npm run pictures`: takes new screenshots for the documentation. Check every one of them. `npm run pictures -- charged fraud` takes only those
 * whose name has one of these texts.
 */

const FOLDER = join(projectRoot, 'docs', 'pictures');

async function main(): Promise<void> {
  const texts = process.argv.slice(2);
  const isWanted = ({ name }: PageView) => texts.length === 0 || texts.some((text) => name.includes(text));
  await withMoreServers(startStoryServers, (stack, servers) => {
    const views = [...VIEWS, ...storyViews(servers)].filter(isWanted);
    return stack.eachView(async (page, { name, isLong = false, part }, device) => {
      const file = join(FOLDER, `${name.replace('-', '/')}-${device}.png`);
      mkdirSync(dirname(file), { recursive: true });
      const options = { animations: 'disabled', caret: 'hide' } as const;
      const screenshot = await (part === undefined
        ? page.screenshot({ ...options, fullPage: !isLong })
        : part(page).screenshot(options));
      writeFileSync(file, screenshot);
      console.log(`${relative(projectRoot, file)}  ${Math.round(screenshot.length / 1024)} KB`);
    }, views);
  });
}

void main();
