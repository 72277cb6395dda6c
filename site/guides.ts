import { existsSync, globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { ROOT } from "./paths.ts";
import { type SiteVersion, siteVersions } from "./versions.ts";

/** A page of the site that is written by hand, in Markdown. */
export interface Guide {
  /** The file, from the folder of the project. */
  readonly file: string;
  /** The title, as readers search for it. */
  readonly title: string;
  /** One sentence for the start page and `llms.txt`. */
  readonly summary: string;
  /** The entry points (`mock/node`) and exports (`createMock`, `*Error`) whose reference pages link to the guide. */
  readonly explains?: readonly string[];
  /** Words that readers search for and that neither the title, the summary nor a heading contains. */
  readonly keywords?: string;
}

/** Guides under one heading of the navigation. */
export interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
  /** The navigation leaves it out; the footer leads to its guides. */
  readonly hidden?: boolean;
}

const groups: readonly GuideGroup[] = [
  {
    title: "Get started",
    guides: [
      {
        file: "docs/quick-start.md",
        title: "Quick start",
        summary: "From an empty folder to a first call, a first test, a first webhook and first usage events.",
        explains: ["sdk"],
      },
      {
        file: "docs/client.md",
        title: "Calling the API",
        summary: "Options, operations and their scopes, lists, headers, hooks and logs.",
        keywords: "scope authentication access token credentials baseUrl base URL address sandbox production",
        explains: ["client", "createClient", "ClientOptions", "CallOptions", "Call", "PagedCall", "BillingClient"],
      },
      {
        file: "docs/errors.md",
        title: "Errors and retries",
        summary: "Catch errors, read the fields of a 422, retries and timeouts.",
        keywords: "retry retrying validation maxRetries timeout",
        explains: ["*Error", "*Failures", "isApiError"],
      },
      {
        file: "docs/coding-agents.md",
        title: "For coding agents",
        summary: "Rules for programs that write code with this package, with code to copy.",
      },
    ],
  },
  {
    title: "Testing",
    guides: [
      {
        file: "docs/testing.md",
        title: "Testing with the mock",
        summary: "Vitest, Jest, node:test, Playwright and any language; tokens, records, failures, time and releases.",
        explains: ["mock", "mock/node", "createMock", "Mock"],
      },
      {
        file: "docs/isolation.md",
        title: "Running tests in parallel",
        summary: "One mock per test, with Vitest, Jest and node:test.",
        explains: ["mock/vitest", "createTest"],
      },
      {
        file: "docs/server.md",
        title: "Standalone server",
        summary: "Run the mock for programs in any language, and control it over HTTP.",
        keywords: "curl Go Ruby Java PHP container image compose",
        explains: ["mock/server", "mock/connect"],
      },
      {
        file: "docs/python.md",
        title: "Testing from Python",
        summary: "Start the mock from a Python test, reset it, read its journal, and verify a webhook signature.",
        keywords: "pytest unittest Django Flask",
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
      {
        file: "docs/check-your-service.md",
        title: "Check your service",
        summary: "Check a running service against the rules, and make the mock answer as it does.",
        keywords: "conformance contract test drift sandbox staging",
        explains: ["conformance", "runConformance", "planConformance"],
      },
      {
        file: "docs/conformance-report.md",
        title: "Conformance report",
        summary: "An example: what the command finds out about a server that only knows the OpenAPI document.",
      },
      {
        file: "docs/rules.md",
        title: "Rules and assumptions",
        summary: "What the specification says, what it leaves open, and the tests that prove both.",
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
        explains: ["webhooks", "verifyWebhook", "createWebhookHandler", "WebhookVerificationError"],
      },
      {
        file: "docs/testing-webhooks.md",
        title: "Testing webhooks",
        summary: "Emit webhooks from the mock, signed, retried and redelivered as the service does.",
        explains: ["MockWebhooks"],
      },
      {
        file: "docs/send-usage-events.md",
        title: "Sending usage events",
        summary: "Send any number of events: in batches, through outages and crashes, from files of any size.",
        explains: [
          "usage",
          "usage/redis",
          "usage/sqlite",
          "createEventBuffer",
          "ingestAll",
          "EventBufferError",
          "OutboxError",
        ],
      },
      {
        file: "docs/command-line.md",
        title: "Command line",
        summary: "Send files of usage events, trigger webhooks and verify deliveries with `npx @billing-service/sdk`.",
      },
    ],
  },
  {
    title: "Versions",
    guides: [
      {
        file: "docs/versions.md",
        title: "Versions",
        summary: "What Next, Current and Deprecated mean, and when each version stops working.",
        keywords: "openapi OpenAPI swagger schema document deprecated",
        explains: ["releaseDates"],
      },
      {
        file: "docs/upgrading.md",
        title: "Upgrading",
        summary: "The migration to another version, step by step, and what changed between the versions.",
        keywords: "migrate migration migrating upgrade breaking changes",
        explains: ["VersionMismatchError"],
      },
      ...siteVersions().map(changesOf),
    ],
  },
  {
    title: "Production",
    guides: [
      {
        file: "docs/security.md",
        title: "Security",
        summary: "Access tokens, browsers, webhook signatures, and what not to use the mock for.",
      },
      {
        file: "docs/proxies.md",
        title: "Proxies and transports",
        summary: "Send requests through a proxy, with undici, or with a transport of your own.",
        explains: ["undici", "undiciTransport", "Transport"],
      },
      {
        file: "docs/runtimes.md",
        title: "Runtimes and bundlers",
        summary: "Which versions of Node.js, Bun, Deno, browsers, workers, bundlers and TypeScript are tested.",
      },
      {
        file: "docs/opentelemetry.md",
        title: "OpenTelemetry",
        summary: "Record a span per call and per attempt.",
        explains: ["Hooks"],
      },
    ],
  },
  {
    title: "The project",
    hidden: true,
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
        title: "Contributing",
        summary: "Commands, conventions, and recipes for changes.",
      },
      {
        file: "docs/releasing.md",
        title: "Releasing",
        summary: "The quarterly release, and how a version is published.",
      },
      {
        file: "SECURITY.md",
        title: "Reporting a vulnerability",
        summary: "How to report one, and which releases get fixes.",
      },
    ],
  },
];

/** Returns the guides by group, in the order of the navigation. */
export function guideGroups(): readonly GuideGroup[] {
  return groups;
}

/** Returns all guides, in the order of the navigation. */
export function allGuides(): readonly Guide[] {
  return groups.flatMap(({ guides }) => guides);
}

/** Returns the files in docs/ that the site shows without an entry of their own. */
export function unlistedFiles(): readonly string[] {
  const listed = allGuides().map(({ file }) => file);
  return globSync("docs/decisions/*.md", { cwd: ROOT }).filter((file) => !listed.includes(file));
}

/** Returns the URL of a page that is written by hand, from its file. */
export function guideUrl(file: string): string {
  if (file === "SECURITY.md") return "/guides/reporting-a-vulnerability";
  if (file.startsWith("versions/")) return `/guides/changes-${basename(dirname(file))}`;
  return `/guides/${file
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase()
    .replace(/readme$/, "")}`;
}

/** Returns the guides for an export: those that explain it by name, or else those that explain its entry point. */
export function guidesFor(
  name: string,
  slug: string,
  isModule: boolean,
): readonly (Guide & { readonly url: string })[] {
  const about = (matches: (explained: string) => boolean) =>
    allGuides()
      .filter(({ explains = [] }) => explains.some(matches))
      .map((guide) => ({ ...guide, url: guideUrl(guide.file) }));
  const exact = isModule ? [] : about((explained) => explained === name);
  const ending = isModule ? [] : about((explained) => explained.startsWith("*") && name.endsWith(explained.slice(1)));
  return [exact, ending].find((found) => found.length > 0) ?? about((explained) => explained === slug);
}

function changesOf({ name }: SiteVersion): Guide {
  return {
    file: `versions/${name}/CHANGES.md`,
    title: `Changes in ${name}`,
    summary: `What changed from the version before ${name}.`,
  };
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
