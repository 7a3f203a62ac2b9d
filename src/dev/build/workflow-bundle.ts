import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot, workflowBundlePath } from '../../paths';
import { fingerprintSources } from './sources';

/**
 * Bundles the workflow code into one file, so that workers and replay tests run the same code and start faster. Returns
 * the path. Does nothing if the bundle is up to date.
 */
export async function buildWorkflowBundle(): Promise<string> {
  const firstLine = `// built from ${fingerprintSources()}\n`;
  if (currentBundle().startsWith(firstLine)) return workflowBundlePath;
  // Imported lazily, because loading the bundler takes a large part of the start time.
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(projectRoot, 'workflows', 'index.ts'),
    workflowInterceptorModules: [join(projectRoot, 'workflows', 'shared', 'trace-header.ts')],
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
