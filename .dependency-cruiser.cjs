// The boundaries of the folders: what each may import. `stack/`, `test/`, `bench/` and `evals/` drive everything and are exempt where they must be.
const DRIVERS = '^(stack|test|bench|evals)/';
const npm = (...names) => `node_modules/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'workflows-are-deterministic',
      comment: 'Workflow code runs in a sandbox and is replayed: Temporal, itself, and the vocabulary; no node, no zod, no I/O.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { pathNot: ['^workflows/', '^(contracts|activities)/', npm('@temporalio/workflow', '@temporalio/common')] },
    },
    {
      name: 'workflows-take-types-only',
      comment:
        'The signatures of activities and the vocabulary, erased when built. A value would bring I/O, or zod (3.4 times the memory per cached workflow); contracts/states.ts holds no zod.',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^(contracts|activities)/', pathNot: '^contracts/states\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'states-are-free-of-zod',
      comment: 'contracts/states.ts is imported by value from workflows.',
      severity: 'error',
      from: { path: '^contracts/states\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nothing-imports-workers',
      comment: 'workers/ composes processes; whatever others need from it belongs elsewhere.',
      severity: 'error',
      from: { pathNot: ['^workers/', DRIVERS] },
      to: { path: '^workers/' },
    },
    {
      name: 'sql-lives-in-db-and-kitchen',
      severity: 'error',
      from: { pathNot: ['^(db|kitchen)/', DRIVERS] },
      to: { path: npm('pg', 'kysely'), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'clients-go-through-the-api',
      comment: 'The command and the page know the HTTP API and the vocabulary, nothing behind it.',
      severity: 'error',
      from: { path: '^(cli|web)/' },
      // The suppressions of the sample are sent through the API like anybody's.
      to: { path: '^(db|activities|workflows|workers|kitchen|api)/', pathNot: '^kitchen/sample-suppressions\\.ts$' },
    },
    {
      name: 'library-reads-files-only',
      comment:
        'Skills are text that is read and chosen from. Bringing them in (install) and the few commands of an inline shell (shell) are the only calls outwards.',
      severity: 'error',
      from: { path: '^ada/library/', pathNot: '^ada/library/(install|shell)/' },
      to: { path: ['^(node:)?(child_process|net|http|https|http2|tls|dgram|dns|cluster|worker_threads)(/|$)', npm('undici', 'tar')] },
    },
    {
      name: 'library-stands-alone',
      comment: 'It is used by the API, the turn and the command alike, and knows none of them.',
      severity: 'error',
      from: { path: '^ada/library/' },
      to: { path: '^(db|api|activities|workflows|workers|kitchen|cli|web|stack)/' },
    },
    {
      name: 'contracts-import-nothing-of-ours',
      severity: 'error',
      from: { path: '^contracts/' },
      to: { path: '^(?!contracts/|node_modules/|\\.\\./)[^/]+/' },
    },
    {
      name: 'view-is-pure',
      comment: 'The command and the page say the same of the same version; what they share runs in both.',
      severity: 'error',
      from: { path: '^view/' },
      to: { pathNot: ['^(view|contracts)/', '^\\.\\./'] },
    },
    {
      name: 'page-takes-types-only',
      comment: 'A value of contracts/ brings zod into the page: a third more to load, and it makes code from text, which the page forbids.',
      severity: 'error',
      from: { path: '^(web|view)/', pathNot: '^web/words/catalog-plugin\\.ts$' },
      to: { path: '^contracts/', pathNot: '^contracts/states\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'kitchen-stands-alone',
      comment: 'It stands for somebody else’s service: only the vocabulary is shared.',
      severity: 'error',
      from: { path: '^kitchen/' },
      to: { path: '^(db|activities|workflows|workers|api|cli|web|stack|test|bench)/' },
    },
    {
      name: 'nothing-imports-drivers',
      comment: 'The command may start the stack; a process of the product never does.',
      severity: 'error',
      from: { pathNot: ['^cli/', DRIVERS, '^[^/]+$'] },
      to: { path: DRIVERS },
    },
    {
      name: 'outbound-models',
      comment: 'One client of models, for turns and drafts.',
      severity: 'error',
      from: { pathNot: ['^ada/ports/', DRIVERS] },
      to: { path: npm('openai') },
    },
    {
      name: 'activities-take-ports-of-ada',
      comment: 'Drafts ask a model through the same port as turns and know an order when they read one; of turns they know nothing.',
      severity: 'error',
      from: { path: '^activities/' },
      to: { path: '^ada/', pathNot: '^ada/(ports/(model|openai|strict-schema)|anchors|validate/instruccion)\\.ts$' },
    },
    {
      name: 'outbound-tools',
      severity: 'error',
      from: { pathNot: ['^(activities|ada/ports|kitchen|api)/', DRIVERS] },
      to: { path: npm('@modelcontextprotocol/[^/]+') },
    },
    {
      name: 'temporal-worker-only-in-workers',
      severity: 'error',
      from: { pathNot: ['^workers/', DRIVERS] },
      to: { path: npm('@temporalio/worker'), dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } } },
    { name: 'nothing-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '^virtual:' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(\\.campana|dist|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
