import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot, workflowBundlePath } from '../../paths';
import { fingerprintSources } from './sources';

/**
 * Writes the workflow code as one file, which workers load instead of bundling at start; workers, replay tests and
 * running workflows then have the same code. Returns its path. Takes a second, or none when nothing has changed.
 */
export async function buildWorkflowBundle(): Promise<string> {
  const firstLine = `// made of ${fingerprintSources()}\n`;
  if (currentBundle().startsWith(firstLine)) return workflowBundlePath;
  // Loaded only when it is needed: the bundler is a large part of a quick start.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(projectRoot, 'workflows', 'index.ts'),
    logger: new DefaultLogger('WARN'),
  });
  mkdirSync(dirname(workflowBundlePath), { recursive: true });
  const partial = `${workflowBundlePath}.${randomUUID()}`;
  writeFileSync(partial, firstLine + code);
  renameSync(partial, workflowBundlePath);
  return workflowBundlePath;
}

function currentBundle(): string {
  try {
    return readFileSync(workflowBundlePath, 'utf8');
  } catch {
    return '';
  }
}
