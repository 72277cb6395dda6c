import { readFileSync } from "node:fs";
import { ROOT } from "../paths.ts";

/** A page of the site that is written by hand, in Markdown. */
export interface Guide {
  /** The file, from the folder of the project. */
  readonly file: string;
  readonly url: string;
  /** The first heading. */
  readonly title: string;
  /** The entry points (`mock/node`) and exports (`createMock`, `*Error`) whose reference pages link to the guide. */
  readonly explains: readonly string[];
}

/** The guides in navigation order, each with the exports that it explains. The footer links to `project`. */
const groups: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "Get started": {
    "docs/quick-start.md": ["sdk"],
    "docs/client.md": ["client"],
    "docs/errors.md": ["*Error", "*Failures", "isApiError"],
    "docs/coding-agents.md": [],
  },
  Testing: {
    "docs/testing.md": ["mock", "mock/node"],
    "docs/failures-and-time.md": ["Fault", "FaultInput", "FaultKind", "Faults", "MockClock", "ClockAdvance"],
    "docs/mock-data.md": ["Assumptions", "strict", "Collection", "TokenInput", "RecordedRequest", "Requests"],
    "docs/isolation.md": ["mock/vitest"],
    "docs/server.md": ["mock/server", "mock/connect"],
    "docs/python.md": [],
    "docs/go.md": [],
    "docs/inspector.md": [],
    "docs/browser.md": ["mock/browser"],
    "docs/check-your-service.md": ["conformance"],
    "docs/conformance-report.md": [],
    "docs/rules.md": [],
  },
  "Webhooks and usage": {
    "docs/receive-webhooks.md": ["webhooks", "WebhookVerificationError", "WEBHOOK_EVENT_TYPES", "WebhookEventType"],
    "docs/testing-webhooks.md": ["MockWebhooks", "Delivery"],
    "docs/send-usage-events.md": ["usage", "EventBufferError"],
    "docs/outboxes.md": ["usage/redis", "usage/sqlite", "memoryOutbox", "Outbox", "OutboxError"],
    "docs/monitor-usage-events.md": ["BufferStats"],
    "docs/command-line.md": [],
  },
  Frameworks: {
    "docs/express.md": [],
    "docs/fastify.md": [],
    "docs/hono.md": [],
    "docs/nestjs.md": [],
    "docs/nextjs.md": [],
    "docs/sveltekit.md": [],
    "docs/serverless.md": [],
  },
  Versions: {
    "docs/versions.md": ["releaseDates"],
    "docs/upgrading.md": ["VersionMismatchError", "contract"],
  },
  Production: {
    "docs/production.md": [],
    "docs/security.md": [],
    "docs/proxies.md": ["undici", "Transport"],
    "docs/runtimes.md": [],
    "docs/opentelemetry.md": ["Hooks"],
  },
};

const project = [
  "docs/architecture.md",
  "docs/decisions/README.md",
  "CONTRIBUTING.md",
  "docs/releasing.md",
  ".github/SECURITY.md",
];

/** Returns the guides by the heading of their group, in the order of the navigation. */
export function guideGroups(): readonly (readonly [title: string, guides: readonly Guide[]])[] {
  return Object.entries(groups).map(([title, files]) => {
    return [title, Object.entries(files).map(([file, explains]) => guideOf(file, explains))];
  });
}

/** Returns the guides for contributors. */
export function projectGuides(): readonly Guide[] {
  return project.map((file) => guideOf(file));
}

/** Returns all guides, in the order of the navigation. Their files are read once. */
export function allGuides(): readonly Guide[] {
  known ??= [...guideGroups().flatMap(([, guides]) => guides), ...projectGuides()];
  return known;
}
let known: readonly Guide[] | undefined;

function guideOf(file: string, explains: readonly string[] = []): Guide {
  return { file, url: guideUrl(file), title: headingOf(file), explains };
}

/** Returns the first heading of a file. */
export function headingOf(file: string): string {
  return /^# (.*)/.exec(textOf(file))?.[1] ?? file;
}

/** Returns a file's text. */
export function textOf(file: string): string {
  return readFileSync(ROOT + file, "utf8");
}

/** Returns the URL of a guide, from its file. A version's list of changes is part of a guide. */
export function guideUrl(file: string): string {
  if (file.endsWith("SECURITY.md")) return "/guides/reporting-a-vulnerability";
  if (/^versions\/.*CHANGES/.test(file)) return "/guides/upgrading#what-changed-between-the-versions";
  return `/guides/${file
    .replace(/^docs\//, "")
    .replace(/\.md$/, "")
    .toLowerCase()
    .replace(/readme$/, "")}`;
}

/** Returns the guides that explain an export or its kind or, if there are none, its entry point. */
export function guidesFor(name: string, slug: string, isModule: boolean): readonly Guide[] {
  const keys = isModule ? [slug] : [name, `*${/[A-Z][a-z]+$/.exec(name)}`, slug];
  const found = keys.map((key) => allGuides().filter(({ explains }) => explains.includes(key)));
  return found.find((guides) => guides.length > 0) ?? [];
}
