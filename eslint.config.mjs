import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

const noEnvironment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only src/config.ts reads the environment; take what you need as a parameter.',
};
const noEnum = { selector: 'TSEnumDeclaration', message: 'Use a union of string literals.' };

export default defineConfig(
  globalIgnores(['dist/', '.data/', 'bench-results/', 'src/http/generated/', '**/*.{js,cjs,mjs}']),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: { project: ['./test/tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', noEnvironment, noEnum],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // A method may be async because its interface is.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
    },
  },
  {
    // The launcher talks to whoever sits at the terminal, and hands settings to the processes it starts.
    files: [
      'src/local/**',
      'src/config.ts',
      'test/support/**',
      'test/local/**',
      'test/bench/**',
      'test/faults/**',
      'test/stories/**',
    ],
    rules: { 'no-console': 'off', 'no-restricted-syntax': ['error', noEnum] },
  },
  {
    // Programs of their own, that answer whoever started them.
    files: ['src/migrate.ts', 'src/gateways/simulator/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Temporal's sandbox: a workflow has no clock, chance or timer but Temporal's own.
    files: ['workflows/**'],
    rules: {
      'no-restricted-globals': ['error', 'process', 'setImmediate', 'fetch'],
    },
  },
  {
    files: ['test/**'],
    rules: {
      // Jest types its matchers (`expect.any(String)`) as any.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // `expect(double.method)` is how a test looks at a double.
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-properties': [
        'error',
        ...['describe', 'it', 'test'].flatMap((object) => [
          { object, property: 'only', message: 'Left over from debugging.' },
          { object, property: 'skip', message: 'A test runs or does not exist.' },
        ]),
      ],
    },
  },
);
