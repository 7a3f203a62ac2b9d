import { createTwoFactor } from './composition/api-team';
import { createAppContext } from './composition/app-context';
import { loadConfig } from './config';

const USAGE = 'usage: npm run users -- reset-second-factor EMAIL';

/** `npm run users`: what no user of a company can do any more (docs/users-and-dashboard.md). */
async function main([command, email, ...rest]: readonly string[]): Promise<void> {
  if (command !== 'reset-second-factor' || email === undefined || rest.length > 0) throw new Error(USAGE);
  const config = loadConfig();
  const context = createAppContext(config);
  try {
    const { twoFactor } = createTwoFactor(config, context, console);
    await twoFactor.resetByOperator(email);
    console.log(`${email} has no second factor any more, is signed out everywhere, and was told by mail`);
  } finally {
    await Promise.all([context.db.close(), context.temporal.connection.close()]);
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  if (error instanceof Error && error.cause instanceof Error) console.error(error.cause.message);
  process.exit(1);
});
