import tseslint from 'typescript-eslint';

// Activity profiles (timeouts, attempts, errors that are final) are written once, in workflows/options.ts.
const ACTIVITY_PROXY = 'Activities are proxied in workflows/options.ts only, where every profile is defined.';

export default tseslint.config(
  { ignores: ['node_modules/', '.campana/', 'dist/', 'coverage/', '**/generated.d.ts'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true }],
      // Objects of functions over closures are the style here; none of them uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      // An async function without await keeps a signature or turns a throw into a rejection.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-control-regex': 'error',
      'no-console': 'error',
      'no-restricted-syntax': [
        'error',
        { selector: 'ImportSpecifier[imported.name=/^proxy(Local)?Activities$/]', message: ACTIVITY_PROXY },
        { selector: 'MemberExpression[property.name=/^proxy(Local)?Activities$/]', message: ACTIVITY_PROXY },
      ],
    },
  },
  { files: ['workflows/options.ts'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['workflows/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', 'fetch', 'process', 'require', 'crypto', 'performance', 'setInterval'] },
  },
  {
    // Tests read bodies of answers as they come; writing `any` down is still refused.
    files: ['test/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-console': 'off',
      ...Object.fromEntries(
        ['assignment', 'argument', 'call', 'member-access', 'return'].map((what) => [`@typescript-eslint/no-unsafe-${what}`, 'off']),
      ),
    },
  },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], extends: [tseslint.configs.disableTypeChecked] },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
);
