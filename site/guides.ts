import { existsSync, globSync } from "node:fs";
import { ROOT } from "./paths.ts";
import { siteVersions } from "./versions.ts";

/** A page of the site that is written by hand, in Markdown. */
export interface Guide {
  /** The file, from the folder of the project. */
  readonly file: string;
  /** The title, as readers search for it. */
  readonly title: string;
  /** One sentence for the start page and `llms.txt`. */
  readonly summary: string;
  /** The entry points that the guide explains; their reference pages link to it. */
  readonly explains?: readonly string[];
}

/** Guides under one heading of the navigation. */
export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

const groups: readonly GuideGroup[] = [
  {
    title: "Get started",
    guides: [
      {
        file: "README.md",
        title: "Quick start",
        summary: "Install the package, make a first call against the mock, and write a first test.",
        explains: ["sdk"],
      },
      {
        file: "docs/client.md",
        title: "Calling the API",
        summary: "Options, calls, errors, retries and timeouts, hooks, and requests to other paths.",
        explains: ["client", "sdk"],
      },
      {
        file: "docs/versions.md",
        title: "Versions",
        summary: "What Next, Current and Deprecated mean, and how long each version works.",
      },
      {
        file: "docs/upgrading.md",
        title: "Upgrading",
        summary: "The migration to another version, step by step, and what differs between the versions.",
      },
    ],
  },
  {
    title: "Webhooks and usage",
    guides: [
      {
        file: "docs/receive-webhooks.md",
        title: "Receiving webhooks",
        summary: "Verify, type and handle webhooks in Fastify, Express, Hono, Next.js and other frameworks.",
        explains: ["webhooks"],
      },
      {
        file: "docs/send-usage-events.md",
        title: "Sending usage events",
        summary: "Send events in batches, through outages and crashes, and from files of any size.",
        explains: ["usage", "usage/redis", "usage/sqlite", "usage/testing"],
      },
      {
        file: "docs/command-line.md",
        title: "Command line",
        summary: "Send files of usage events, trigger webhooks and verify deliveries with `npx billing`.",
      },
    ],
  },
  {
    title: "Testing",
    guides: [
      {
        file: "docs/testing.md",
        title: "Testing with the mock",
        summary: "The mock in your tests: tokens, records, faults, the clock and releases.",
        explains: ["mock", "mock/node", "mock/vitest"],
      },
      {
        file: "docs/isolation.md",
        title: "Running tests in parallel",
        summary: "One mock per test, with Vitest, Jest, node:test and Playwright.",
        explains: ["mock/vitest", "mock/connect"],
      },
      {
        file: "docs/webhooks.md",
        title: "Webhooks from the mock",
        summary: "Emit webhooks in tests, signed, retried and redelivered as the service does.",
      },
      {
        file: "docs/server.md",
        title: "Standalone server",
        summary: "Run the mock for programs in any language, and control it over HTTP.",
        explains: ["mock/server", "mock/connect"],
      },
      {
        file: "docs/inspector.md",
        title: "The inspector",
        summary: "Watch requests arrive, send webhooks and make releases in a web page.",
      },
      {
        file: "docs/browser.md",
        title: "The mock in a browser",
        summary: "Run the mock inside a page, behind a service worker.",
        explains: ["mock/browser"],
      },
    ],
  },
  {
    title: "Rules and security",
    guides: [
      {
        file: "docs/runtimes.md",
        title: "Runtimes, bundlers and proxies",
        summary: "Which runtimes are tested, how to use a proxy, and spans for OpenTelemetry.",
      },
      {
        file: "docs/rules.md",
        title: "Rules and assumptions",
        summary: "What the specification says, what it leaves open, and the tests that prove both.",
      },
      {
        file: "SECURITY.md",
        title: "Security",
        summary: "How tokens and signatures are protected, and how to report a vulnerability.",
      },
    ],
  },
  {
    title: "The project",
    guides: [
      {
        file: "docs/architecture.md",
        title: "Architecture",
        summary: "Layers, allowed imports, and where to change things.",
      },
      {
        file: "docs/decisions/README.md",
        title: "Decisions",
        summary: "Why the project is built as it is.",
      },
      {
        file: "CONTRIBUTING.md",
        title: "Contributing and releasing",
        summary: "Commands, conventions, recipes for changes, and the quarterly release.",
      },
    ],
  },
];

/** Files in docs/ that the site shows without an entry of their own. */
const unlisted = "docs/decisions/*.md";

/** Returns the guides by group, in the order of the navigation, with the list of changes of each version. */
export function guideGroups(): readonly GuideGroup[] {
  return [...groups.slice(0, -1), { title: "Changes", guides: changes() }, ...groups.slice(-1)];
}

/** Returns all guides, in the order of the navigation. */
export function allGuides(): readonly Guide[] {
  return guideGroups().flatMap(({ guides }) => guides);
}

/** Returns the files that the site shows but does not list. */
export function unlistedFiles(): readonly string[] {
  const listed = new Set(allGuides().map(({ file }) => file));
  return globSync(unlisted, { cwd: ROOT })
    .filter((file) => !listed.has(file))
    .sort();
}

function changes(): readonly Guide[] {
  return siteVersions().map(({ name }) => ({
    file: `versions/${name}/CHANGES.md`,
    title: `Changes in ${name}`,
    summary: `What changed from the version before ${name}.`,
  }));
}

/**
 * Checks that the list and the folder `docs` name the same files.
 *
 * @throws Error if a guide is not listed, or a listed file does not exist.
 */
export function checkGuides(files: readonly string[] = globSync("docs/*.md", { cwd: ROOT })): void {
  const listed = allGuides().map(({ file }) => file);
  const forgotten = files.filter((file) => !listed.includes(file));
  if (forgotten.length > 0) {
    throw new Error(`site/guides.ts does not list ${forgotten.join(", ")}. Add each with a title and a summary.`);
  }
  const missing = listed.filter((file) => !existsSync(ROOT + file));
  if (missing.length > 0) throw new Error(`site/guides.ts lists ${missing.join(", ")}, which does not exist.`);
}
