// The allowed imports of each folder, including type imports. `npm run check` enforces them, and docs/architecture.md shows the
// same directions as a picture.

const PRODUCT = "^(src|versions|mock|conformance|cli)/";
const OUTSIDE = "^(test|examples|scripts|bench|site|dist)/|^@billing-service/sdk";

const at = (place) => (typeof place === "string" ? { path: place } : place);

/** Forbids the imports from one place to another; a string is a path. */
const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from: at(from), to: at(to) });

const PARTS = ["http", "validation", "state", "lifecycle"];
const MODULES = ["operations", "webhooks", "faults", "journal"];
const BELOW_ADAPTERS = ["api", "engine", ...MODULES, ...PARTS];

/** The folders of the mock that each folder may import, in addition to the leaves. Only entry points import adapters freely. */
const MOCK_IMPORTS = {
  lifecycle: ["validation"],
  validation: [],
  http: ["validation"],
  state: ["lifecycle", "validation"],
  operations: PARTS,
  faults: PARTS,
  webhooks: PARTS,
  journal: ["operations", ...PARTS],
  engine: [...MODULES, ...PARTS],
  api: BELOW_ADAPTERS,
  control: BELOW_ADAPTERS,
  inspector: ["control", ...BELOW_ADAPTERS],
  server: ["control", "inspector", ...BELOW_ADAPTERS],
};

/** The folders that every folder of the mock may import; they import only other leaves. */
const LEAVES = ["assumptions", "options", "clock", "generated"];

/** Forbids every import of a folder of the mock that is not allowed. Nothing imports an entry point. */
const forbidMockImports = (folder, allowed) =>
  forbid(`mock-${folder}`, `mock/${folder} imports only ${[...allowed, ...LEAVES].join(", ")}.`, `^mock/${folder}/`, {
    path: "^mock/",
    pathNot: `^mock/(${[folder, ...allowed, ...LEAVES].join("|")})/`,
  });

export default {
  forbidden: [
    ...Object.entries(MOCK_IMPORTS).map(([folder, allowed]) => forbidMockImports(folder, allowed)),
    ...LEAVES.map((folder) => forbidMockImports(folder, [])),
    {
      name: "no-folder-cycle",
      comment: "Folders that import each other cannot be understood one at a time.",
      severity: "error",
      scope: "folder",
      from: {},
      to: { circular: true },
    },
    forbid("no-cycle", "Files that import each other cannot be read one at a time.", {}, { circular: true }),
    forbid(
      "package-outside",
      "The package imports its own files, never tests, scripts, build output or its published name.",
      PRODUCT,
      OUTSIDE,
    ),
    forbid("conformance", "The checks know no mock; only the command loads them.", "^conformance/", "^(mock|cli)/"),
    forbid("conformance-outer", "Only the command loads the checks.", "^(src|versions|mock)/", "^conformance/"),
    forbid("src-project", "src knows neither a version nor the mock.", "^src/", "^(versions|mock|cli)/"),
    forbid(
      "version-other",
      "A version imports only src and its own files: shapes are never shared.",
      "^versions/([^/]+)/",
      { path: "^(versions|mock|cli)/", pathNot: "^versions/$1/" },
    ),
    forbid(
      "values",
      "src/values serves everybody, so it imports nothing else.",
      "^src/values/",
      "^(src/(?!values/)|versions|mock|conformance|cli)/",
    ),
    forbid("command-outer", "Only tests import the command.", { pathNot: "^(cli|test)/" }, "^cli/"),
    forbid("bench-outer", "Nothing imports the benchmarks.", { pathNot: "^bench/" }, "^bench/"),
    forbid(
      "command-imports",
      "Only `billing mock` runs a mock; the other commands are loaded without it, and call one over HTTP.",
      { path: "^cli/", pathNot: "^cli/mock[/.]" },
      { path: "^mock/", pathNot: "^mock/connect.ts$", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "command-lazy",
      "A command loads only its own files, so that it starts fast.",
      "^cli/(?!billing|run|shared)(\\w+)[/.]",
      { path: "^cli/", pathNot: "^cli/($1|shared)[/.]" },
    ),
    forbid(
      "client-node",
      "src and versions run everywhere, so they import nothing of Node.js. Only the outbox in SQLite is for Node.js.",
      { path: "^(src|versions)/", pathNot: "^src/usage/sqlite[.-]" },
      { dependencyTypes: ["core"] },
    ),
    forbid(
      "usage",
      "Usage events work with the client of every version, so src/usage loads neither a client nor a contract.",
      "^src/usage/",
      {
        path: "^src/",
        pathNot: "^src/(usage/|errors/|values/|client/(log|retry)\\.ts$)",
        dependencyTypesNot: ["type-only"],
      },
    ),
    forbid("ky", "Only src/client imports ky.", { path: PRODUCT, pathNot: "^src/client/" }, "(^|/)node_modules/ky/"),
    forbid(
      "inspector",
      "Only the server serves the inspector; nothing else of the mock depends on it.",
      { path: "^mock/", pathNot: "^mock/(inspector|server)/" },
      "^mock/inspector/",
    ),
    forbid(
      "control-client",
      "The client of the control API runs outside of the mock, so it loads only `src/values`.",
      "^mock/control/client\\.ts$",
      {
        path: "^(src|versions|mock)/",
        pathNot: "^src/values/",
        dependencyTypesNot: ["type-only"],
      },
    ),
    forbid(
      "connect",
      "connectMock calls a mock in another process, so it loads only the client of the control API.",
      "^mock/connect\\.ts$",
      {
        path: "^mock/(control/(?!client)|inspector/|api/|operations/)",
        dependencyTypesNot: ["type-only"],
      },
    ),
    forbid(
      "inspector-page",
      "The inspector's page runs in the browser, so it imports only types and the control API's client from the mock.",
      "^mock/inspector/page/",
      {
        path: "^(src|versions|mock)/",
        pathNot: "^mock/(inspector/page/|control/client\\.ts$)",
        dependencyTypesNot: ["type-only"],
      },
    ),
    forbid(
      "msw",
      "MSW is one adapter of the mock; only mock/node.ts imports it.",
      { path: PRODUCT, pathNot: "^mock/node\\.ts$" },
      "(^|/)node_modules/msw/",
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^site/(dist|pages)/" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default", "types"] },
  },
};
