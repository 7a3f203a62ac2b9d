import { build } from './build';

build((message) => console.log(message)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
