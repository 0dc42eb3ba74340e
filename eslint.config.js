import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

// Dependency rules of the modules: what each folder of src may import from the others, `.ts` files beside the folders
// included. `types` are imported as types alone. Any other import is refused; docs/architecture.md tells why.
const BASE = ['lib', 'variables'];
/** Files beside the modules of ingest, which all steps of a load share. */
const INGEST = ['ingest/load-events', 'ingest/load-report', 'ingest/load-tally', 'ingest/spans'];
export const MODULES = {
  lib: {},
  variables: {},
  feeds: { from: ['statistics'] },
  statistics: {},
  queries: { from: ['feeds', 'statistics'] },
  store: { from: ['queries/sql'] },
  stations: { from: ['queries', 'statistics'], types: ['store'] },
  monitoring: { from: ['queries', 'statistics'], types: ['store'] },
  seals: { from: ['queries', 'statistics', 'store'] },
  'seals/routes': {
    from: ['api', 'http', 'seals/digests', 'seals/formats', 'seals/log', 'seals/seal-log'],
    types: ['store'],
  },
  ingest: {
    from: ['feeds', 'queries', 'statistics', 'store', 'monitoring', 'seals'],
    types: ['stations/source-state'],
  },
  // A module in a module stands after it: of two entries for a file the later one holds.
  'ingest/read': { from: ['feeds', 'statistics'] },
  'ingest/stage': { from: ['feeds', 'queries', 'statistics', 'store', 'ingest/read', ...INGEST] },
  'ingest/check': {
    from: ['feeds', 'queries', 'statistics', 'ingest/read', 'ingest/stage', ...INGEST],
    types: ['store'],
  },
  'ingest/reconcile': { from: ['queries', 'statistics', 'store', 'ingest/stage', ...INGEST] },
  'ingest/apply': {
    from: ['feeds', 'queries', 'store', 'ingest/read', 'ingest/stage', 'ingest/reconcile', ...INGEST],
  },
  backup: { from: ['queries/sql', 'ingest', 'store'] },
  api: { from: ['queries', 'statistics', 'stations'], types: ['store'] },
  'api/errors': { from: ['parameters', 'stations', 'store'] },
  meta: { from: ['queries/sql', 'queries/conditions', 'api', 'stations', 'monitoring'] },
  accuracy: { from: ['queries', 'statistics', 'api', 'stations'] },
  comparison: { from: ['queries', 'statistics', 'api'], types: ['stations'] },
  data: { from: ['queries', 'statistics', 'api', 'seals/lines'] },
  'data/suspects': { from: ['queries', 'statistics', 'api', 'stations', 'monitoring/judged-days'] },
  probability: { from: ['queries', 'statistics', 'api'], types: ['stations'] },
  observe: { from: ['queries/sql', 'stations', 'monitoring'], types: ['store'] },
  http: { from: ['statistics', 'api', 'observe'], types: ['stations'] },
  auth: { from: ['api/errors', 'http'], types: ['api'] },
  // A worker thread has the endpoints, and makes a directory and rows of the bytes that it is sent.
  responses: {
    from: ['queries/sql', 'statistics', 'stations', 'auth', 'api', 'http', 'store', 'endpoints'],
    types: ['observe'],
  },
  export: { from: ['queries/sql', 'responses', 'api', 'http'], types: ['store'] },
  recompute: { from: ['statistics', 'stations', 'responses', 'api', 'http'] },
  events: { from: ['queries/sql', 'api', 'http', 'monitoring'], types: ['store'] },
  mcp: { from: ['statistics', 'responses', 'api', 'http', 'observe', 'comparison', 'probability'] },
  openapi: { from: ['http'] },
  pages: { from: ['http'] },
  'seals/formats': {},
  publish: { from: ['app', 'auth', 'http', 'pages', 'recompute', 'seals'], types: ['store'] },
  sample: { from: ['statistics'] },
  collect: { from: ['feeds', 'statistics', 'stations/source-state', 'ingest/read', 'ingest/load-report'] },
  here: { from: ['collect', 'statistics', 'stations/choice'] },
  cli: {
    from: [
      'queries/sql',
      'auth',
      'backup',
      'collect',
      'config',
      'feeds',
      'here',
      'ingest',
      'publish',
      'sample',
      'seals',
      'server',
      'statistics/time/zone-name',
      'store',
    ],
  },
};

// Folders of a module that import nothing from each other, so that each can be deleted.
const INDEPENDENT = { probability: ['blend', 'distribution', 'intraday'] };

// Packages that belong to some modules, and to no other.
export const PACKAGES = {
  express: [
    'http',
    'observe',
    'auth',
    'responses',
    'events',
    'export',
    'mcp',
    'openapi',
    'pages',
    'recompute',
    'seals/routes',
  ],
  '@modelcontextprotocol/server': ['mcp'],
  '@modelcontextprotocol/node': ['mcp'],
  '@clickhouse/client': ['store'],
  chdb: ['store'],
  commander: ['cli'],
  croner: ['collect'],
  piscina: ['responses', 'collect'],
  jsonata: ['collect'],
  yaml: ['collect'],
  'fast-xml-parser': ['collect'],
  'node:http': ['responses', 'collect', 'http', 'observe', 'publish', 'store'],
  // Arithmetic is over plain numbers: schemas stand beside the SQL that gives them, or in the API.
  zod: Object.keys(MODULES).filter((module) => !['statistics', 'variables'].includes(module)),
};

export const dependencyRules = Object.entries(MODULES).flatMap(([module, { from = [], types = [] }]) => {
  const message = (what) => `src/${module} may not import ${what} (the dependency rules in eslint.config.js)`;
  const names = (list) => `(${list.join('|')})(/|\\.js$)`;
  const foreign = Object.keys(PACKAGES).filter((name) => !PACKAGES[name].includes(module));
  const packages = foreign.map((name) => ({ regex: `^${name}(/|$)`, message: message('this package') }));
  // The regex has to know how many `../` lead out of the module, and out of the module around it.
  const levels = module.split('/').length;
  const allowed = names([...BASE, ...from, ...types]);
  const around = `${module.split('/')[0]}/`;
  const siblings = names([...from, ...types].map((name) => name.replace(around, '')));
  return [0, 1, 2].map((depth) => {
    const out = `^(\\.\\./){${levels + depth}}`;
    const patterns = [
      ...packages,
      { regex: `${out}(?!${allowed})`, message: message('this module') },
      ...(levels === 2
        ? [
            {
              regex: `^(\\.\\./){${1 + depth}}(?!\\.\\./|${siblings})`,
              message: message('the module around it'),
            },
          ]
        : []),
      ...types.map((name) => ({
        regex: `${out}(?!${names(from)})${names([name])}`,
        allowTypeImports: true,
        message: message('more than types of this module'),
      })),
    ];
    return {
      files: [`src/${module}/${'*/'.repeat(depth)}*.ts`],
      rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns }] },
    };
  });
});

const independence = Object.entries(INDEPENDENT).flatMap(([module, names]) =>
  names.map((name) => {
    const others = names.filter((other) => other !== name).join('|');
    const message = `src/${module}/${name} may not import from another of them (INDEPENDENT in eslint.config.js)`;
    return {
      files: [`src/${module}/${name}/*.ts`],
      rules: {
        'no-restricted-imports': ['error', { patterns: [{ regex: `^\\.\\./(${others})/`, message }] }],
      },
    };
  }),
);

// Prose of comments: a noun stands before any that, what, those; and a thing is undefined, missing or empty, never "none".
const prose = {
  create: ({ sourceCode, report }) => ({
    Program() {
      for (const comment of sourceCode.getAllComments()) {
        const text = comment.value.replaceAll(/^[ \t]*\*?[ \t]*(?:- )?/gm, '');
        for (const [, word] of text.matchAll(/(?:^|[.!?]\)? )(What|That|Those|Of)\b(?![^.]*\?)/gm))
          report({ loc: comment.loc, message: `A sentence begins with "${word}": name the thing` });
        if (/\b(is|are|of) none\b/.test(text))
          report({ loc: comment.loc, message: '"is none": say undefined, missing or empty' });
      }
    },
  }),
};

export default tseslint.config(
  { ignores: ['**/dist/', 'build/', 'data/', 'node_modules/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // A promise nobody waits for is an error nobody sees.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/require-await': 'error',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  ...dependencyRules,
  ...independence,
  {
    // A text from outside may be long, so a pattern takes time by its length, never by the square of it.
    files: ['{src,scripts,public,clients}/**/*.{ts,tsx,js,mjs,cjs}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    // The hooks of Preact have the names and the rules of React's. Effects name on purpose what they run again for.
    files: ['public/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error' },
  },
  {
    // With TRUST_PROXY, Express takes these from headers that any client may write.
    files: ['src/**/*.ts'],
    ignores: ['src/http/host-header.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['host', 'hostname', 'protocol', 'secure', 'subdomains'].map((property) => ({
          ...{ object: 'request', property },
          message: 'A response names PUBLIC_URL, or what src/http/host-header.ts gives.',
        })),
      ],
    },
  },
  {
    // The generated client has the words of the OpenAPI document.
    files: ['**/*.{ts,tsx,js,mjs,cjs}'],
    ignores: ['clients/typescript/src/generated.ts'],
    plugins: { conventions: { rules: { prose } } },
    rules: { 'conventions/prose': 'error' },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: {
      globals: { module: 'writable', require: 'readonly', process: 'readonly', __dirname: 'readonly' },
    },
  },
  {
    // Programs of Node, which the examples' tests run.
    files: ['examples/**/*.mjs'],
    languageOptions: {
      globals: { console: 'readonly', fetch: 'readonly', process: 'readonly', URLSearchParams: 'readonly' },
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // chai's `expect(x).to.be.true` is an expression on purpose.
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
);
