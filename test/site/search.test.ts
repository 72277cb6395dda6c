import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { expect, it } from "vitest";
import { OUTPUT, ROOT } from "../../site/paths.ts";
import { searchOptions } from "../../site/search/search-options.ts";
import { SYNONYMS, UNSEARCHED } from "../../site/search/words.ts";
import { currentVersion } from "../../site/versions.ts";
import { describeInChromium } from "../browser/chromium.ts";
import { violationsOf, WIDTHS } from "../browser/violations-of.ts";
import { BROKEN_BY_VITEPRESS, startSite } from "./start-site.ts";

/** Queries, written before the search existed, separated by commas, and the sections that answer them. */
const questions: readonly (readonly [queries: string, section: RegExp])[] = [
  ["sunset", /versions\S*#(?:next-current-deprecated|\S*deprecat)/],
  ["idempotency key", /send-usage-events\S*#duplicates-and-corrections|errors\S*#retries/],
  ["bulk, a million events, backfill", /send-usage-events\S*#send-a-million-events/],
  ["duplicate webhook, replay attack", /receive-webhooks\S*#duplicate-webhooks/],
  ["duplicate events, correction, dedupe, billed twice", /send-usage-events\S*#duplicates-and-corrections/],
  ["fastify", /guides\/fastify/],
  ["express", /guides\/express/],
  ["hono", /guides\/hono/],
  ["nextjs route handler", /guides\/nextjs/],
  ["sveltekit", /guides\/sveltekit/],
  ["sveltekit shutdown, sveltekit usage", /guides\/sveltekit/],
  ["quota, free tier, plan, trial, usage limit, list invoices", /client\S*#what-the-api-does-not-offer/],
  ["checkout, customer portal, active subscription", /client\S*#what-the-api-does-not-offer/],
  ["concepts, glossary, terminology", /client\S*#concepts/],
  ["service down, api down, outage", /monitor-usage-events\S*#if-the-service-is-down/],
  ["notify, alert without prometheus", /production\S*#alerts-without-prometheus/],
  ["webhooks stopped, webhooks not arriving", /receive-webhooks\S*#webhooks-do-not-arrive/],
  ["vps, production, deploy", /guides\/production/],
  ["middleware", /guides\/(?:fastify|express)/],
  ["quantity, metadata, event fields", /send-usage-events\S*#what-an-event-contains/],
  ["test webhook, resend, ngrok", /guides\/testing-webhooks/],
  ["rate limit 429, thundering herd, disable retries, retryable", /errors\S*#retries/],
  ["timeout, deadline, hang", /guides\/\S*#\S*timeout/],
  ["cancel request", /guides\/client\S*#\S*cancel/],
  ["proxy", /proxies\S*#send-requests-through-a-proxy/],
  ["company ca certificate", /proxies\S*#trust-a-company-ca-certificate/],
  ["python, conftest, pytest, fastapi", /guides\/python/],
  ["docker", /server\S*#docker/],
  [
    "fake 500, slow response, inject error, latency, mock 429 vitest, timeout mock",
    /failures-and-time\S*#simulate-failures/,
  ],
  ["fake time, mock subscription renewal, trial end", /failures-and-time\S*#fake-time/],
  ["reset mock between tests", /mock-data\S*#reset-the-mock/],
  ["createTestingModule", /nestjs\S*#test-the-app/],
  ["expired token, rotate token, vault, authenticate, api key", /client\S*#(?:oauth|tokens-that-expire)/],
  ["verify token, verify token startup", /client\S*#get-an-access-token/],
  ["bullmq retry, temporary error", /errors\S*#all-errors/],
  ["bullmq, bullmq worker", /errors\S*#all-errors|send-usage-events\S*#shut-down/],
  ["client credentials, rotate client secret", /client\S*#oauth-20-client-credentials/],
  ["serverless, cron, vercel, waitUntil", /guides\/serverless|nextjs\S*#keep-events-on-vercel/],
  ["crash lose events, persistent queue", /outboxes\S*#(?:choose-an-outbox|keep-events)/],
  ["alert, queue growing", /monitor-usage-events\S*#monitoring-metrics-and-alerts/],
  ["toMatchSnapshot", /mock-data\S*#compare-requests-with-a-snapshot/],
  ["unknown field", /mock-data\S*#find-misspelled/],
  ["privacy, encryption, encrypted at rest", /security\S*#privacy-and-telemetry/],
  ["redis, sentinel, upstash", /outboxes\S*#share-an-outbox-in-redis/],
  ["pagination", /client\S*#\S*pagination/],
  ["logging", /client\S*#hooks-and-logs/],
  ["verify signature, raw body", /receive-webhooks\S*#verify-a-signature/],
  ["rotate secret, rotation", /receive-webhooks\S*#rotate-a-secret/],
  ["browser, storybook", /guides\/browser/],
  ["invoice, money, decimal precision, mock limitations, charge, invoice price", /testing\S*#limitations/],
  ["bundle size, tree shaking", /runtimes\S*#bundle-size/],
  ["throughput", /server\S*#performance/],
  ["CI, readiness probe, health check, wait for mock", /server\S*#run-the-server-in-ci/],
  ["changelog, release notes", /upgrading\S*#differences-between-the-versions/],
  ["semver", /versions\S*#what-is-supported/],
  ["nightly, drift", /check-your-service\S*#watch-for-changes/],
  ["deterministic", /mock-data\S*#reproducible-values/],
  ["mocha, cypress", /testing\S*#test-runners/],
  ["HTML instead of JSON", /errors\S*#a-response-that-is-not-json/],
  ["timestamp format, timezone", /client\/Timestamp|errors\S*#read-the-fields-of-a-422/],
  ["batch size", /send-usage-events\S*#send-events-as-they-happen/],
  ["parallel tests", /isolation\S*#running-tests-in-parallel/],
  ["shared mock server", /isolation\S*#several-test-files-and-one-server/],
  ["disable endpoint", /operations\/webhooks-updateEndpoint/],
  ["vite, windows, node 18", /runtimes\S*#supported-versions/],
  ["401, 404, 413, scope 403", /errors\S*#status-codes/],
  ["NotFoundError", /errors\S*#catch-an-error/],
  ["ECONNREFUSED, instanceof", /errors\S*#all-errors/],
  ["baseUrl", /client\S*#(?:base-url|create-a-client)/],
  ["environment variables", /command-line\S*#environment-variables/],
  ["custom header", /client\S*#headers/],
  ["otel, tracing", /guides\/opentelemetry/],
  ["golang, java, go client", /guides\/go/],
  ["import csv, csv, parquet", /command-line\S*#import-a-csv-file/],
  ["dry run, dry run import", /command-line\S*#dry-run/],
  ["gitlab, gitlab ci docker", /server\S*#gitlab-ci/],
  ["wiremock", /guides\/server|mock-data\S*#recorded-http-requests/],
  ["stripe listen", /testing-webhooks\S*#while-you-develop/],
  ["stripe, migrate from stripe", /send-usage-events\S*#replace-an-existing-integration/],
  ["test card", /server\S*#playwright/],
  ["clock skew", /receive-webhooks\S*#webhook-verification-fails/],
  ["which scope", /client\S*#operations-and-scopes/],
  ["flush on exit", /send-usage-events\S*#shut-down/],
  ["cold start", /guides\/serverless/],
  ["webhook secret two secrets", /receive-webhooks\S*#rotate-a-secret/],
  ["log requests redact token", /security\S*#secrets-in-errors-and-logs/],
  ["rollback, downgrade", /upgrading\S*#roll-back-an-upgrade/],
  ["memory leak", /server\S*#performance/],
  ["ERR_MODULE_NOT_FOUND", /runtimes\S*#peer-dependencies/],
  ["permission denied 403", /errors\S*#status-codes/],
  ["event type typescript", /receive-webhooks\S*#type-the-data/],
  ["xdist", /guides\/python/],
  ["resume, upload", /command-line\S*#resume-an-interrupted-upload/],
  ["lambda webhook", /serverless\S*#aws-lambda/],
  ["nestjs", /guides\/nestjs/],
  ["app router, after()", /guides\/nextjs/],
  ["llm tokens, ai tokens, bill llm tokens per customer", /send-usage-events\S*#llm-and-ai-tokens/],
  ["streamText, streaming response usage", /nextjs\S*#count-the-tokens/],
  ["svix", /receive-webhooks\S*#the-signature-schemes/],
  ["see webhook signature", /testing-webhooks\S*#see-the-signatures/],
  ["test webhook locally", /testing-webhooks\S*#deliver-to-a-local-server/],
  ["spy on requests, see requests", /mock-data\S*#recorded-http-requests/],
  ["nock", /testing\S*#choose-how-to-connect/],
  ["license, supply chain, sbom", /security\S*#supply-chain-and-license/],
  ["sentry", /security\S*#secrets-in-errors-and-logs/],
  ["contribute", /guides\/contributing/],
  ["event limit", /rules\S*#request-batch-and-rate-limits/],
  ["background job, webhook timeout", /receive-webhooks\S*#timeout-respond-within-10-seconds/],
  ["endpoint disabled", /testing-webhooks\S*#retries-redeliveries-and-disabled-endpoints/],
  [
    "assert event, exactly one event, check usage events in a test, verify calls",
    /testing\S*#check-which-events-were-sent/,
  ],
  ["webhook fail, delivery twice, out of order", /testing-webhooks\S*#make-deliveries-fail/],
  ["webhooks out of order", /receive-webhooks\S*#events-out-of-order/],
  ["endpoint down, webhook down", /receive-webhooks\S*#if-your-endpoint-is-down/],
  ["plain javascript, typescript version", /runtimes\S*#typescript/],
  ["cloudflare workers", /serverless\S*#cloudflare-workers/],
  ["mismatch, types do not match", /errors\S*#a-response-that-does-not-match/],
  ["events:write, list webhook endpoints", /client\S*#operations-and-scopes/],
  ["request id, trace a failed call", /errors\S*#find-a-failed-call-by-a-request-id/],
  ["initial data, prefill", /mock-data\S*#records|server\S*#seed-file/],
  ["limit rate of mock", /failures-and-time\S*#limit-the-rate/],
  ["prometheus, grafana, observability", /#(?:metrics-for-prometheus|monitoring-metrics-and-alerts)/],
  ["latency metrics", /opentelemetry\S*#metrics|production\S*#metrics-for-prometheus/],
  ["kubernetes, graceful, k8s, ecs, stopTimeout, drain, statefulset", /production\S*#graceful-shutdown/],
  ["prisma, drizzle, knex, typeorm", /outboxes\S*#your-own-table-in-postgres-or-mysql/],
  ["undocumented endpoint, custom endpoint, raw request", /client\S*#call-other-operations/],
  ["tenant", /client\S*#arguments-and-options/],
  ["cutover, replace integration, parallel run", /send-usage-events\S*#replace-an-existing-integration/],
  ["buffering, batching", /send-usage-events\S*#(?:pass-a-buffer|send-events-as-they-happen)/],
  ["backpressure", /outboxes\S*#when-the-buffer-is-full/],
  ["native, musl, alpine", /outboxes\S*#keep-events-through-a-crash/],
  ["PII, gdpr", /security\S*#customer-data-in-errors-and-logs/],
  ["dead letter, dlq", /monitor-usage-events\S*#rejected-events/],
  ["send event without blocking request, fire and forget", /send-usage-events\S*#in-a-request-handler/],
  [
    "webhook signature check fails, invalid signature, wrong secret, webhook 401",
    /receive-webhooks\S*#webhook-verification-fails/,
  ],
  ["debug, mock not intercepting requests, did not exit", /testing\S*#troubleshooting/],
  ["401 from mock", /testing\S*#troubleshooting|mock-data\S*#tokens-and-scopes/],
  ["onUnhandledRequest, msw server", /testing\S*#use-your-own-msw-server/],
  ["block real network, setupFiles", /testing\S*#mocklisten/],
  ["msw version, vitest version, devDependency", /runtimes\S*#peer-dependencies/],
  ["is the mock accurate, trust", /check-your-service\S*#how-accurate-the-mock-is/],
  ["keep mock out of production, lint rule", /security\S*#the-mock/],
  ["test sqlite buffer, simulate crash", /send-usage-events\S*#(?:test-a-buffer|simulate-a-crash)/],
  ["send webhook from mock", /testing-webhooks|command-line\S*#make-a-mock-emit/],
  ["sign payload", /testing-webhooks\S*#sign-a-delivery-for-a-unit-test/],
  ["playwright", /server\S*#playwright/],
  ["mTLS, client certificate", /proxies\S*#send-a-client-certificate/],
  ["wrapper, renovate, dependabot", /versions\S*#keep-several-services/],
  ["runbook, stuck, usage not arriving, events do not arrive", /monitor-usage-events\S*#events-do-not-arrive/],
  ["kafka, commit offset, queue consumer, rabbitmq, sqs, kafkajs", /outboxes\S*#in-a-kafka-or-other-queue-consumer/],
  ["several pods", /production\S*#in-a-deployment/],
  ["late events, old timestamp, month end", /send-usage-events\S*#what-an-event-contains/],
  ["reconcile, finance, audit usage, aggregate, billing period", /monitor-usage-events\S*#reconcile/],
  ["export events to warehouse, bigquery", /monitor-usage-events\S*#reconcile/],
  ["official package, support contact", /versions\S*#what-is-supported/],
  ["reconciliation nightly job", /monitor-usage-events\S*#reconcile/],
  ["postgres, postgresql, mysql, transactional outbox", /outboxes\S*#(?:your-own-table|choose-an-outbox)/],
  ["nestjs provider, dependency injection, onModuleDestroy", /nestjs\S*#provide-the-client/],
  ["queued events upgrade", /upgrading\S*#events-that-are-still-queued/],
  ["what is retried, retires, retreis", /errors\S*#retries/],
  ["webook, webooks", /webhook/],
  ["webhook duplicates, same webhook twice, webhook delivered twice", /receive-webhooks\S*#duplicate-webhooks/],
  ["signiture", /receive-webhooks\S*#(?:verify-a-signature|the-signature-schemes)/],
  ["kuberntes", /production\S*#graceful-shutdown/],
  ["fetch failed", /errors\S*#all-errors/],
  ["lambda flush", /serverless\S*#send-usage-from-a-function/],
  ["how many events per request, max events per request", /send-usage-events\S*#sending-usage-events/],
];

/** Other searches, and the page or section that is the first result. */
const firsts: readonly (readonly [query: string, section: RegExp])[] = [
  ["createClient", /client\/createClient/],
  ["ingest", /operations\/events-ingest/],
  ["create webhook endpoint", /operations\/webhooks-createEndpoint/],
  ["422", /errors\S*#read-the-fields-of-a-422/],
  ["openapi", /versions\S*#openapi-documents/],
  ["conformance", /check-your-service/],
  ["get an access token", /client\S*#get-an-access-token/],
  ["upgrade api version", /upgrading\S*#upgrade-step-by-step/],
  ["bun", /runtimes\S*#bun-and-deno/],
  ["jsdom", /runtimes\S*#jsdom-and-happy-dom/],
  ["two versions", /upgrading\S*#run-a-suite-with-two-versions/],
  ["ing-2", /rules\S*#ING-2/],
  ["verify signature nestjs", /guides\/nestjs/],
  ["fastify webhook", /guides\/fastify/],
];

it("no word of a query is both left out and a synonym", () => {
  for (const [word, others] of Object.entries(SYNONYMS)) {
    expect([word, ...others].filter((each) => UNSEARCHED.has(each) || each !== each.toLowerCase())).toEqual([]);
  }
});

/** Searches as the site does in a browser: in the same index, with the same library, fields and options. */
async function siteSearch(): Promise<(query: string) => string[]> {
  const MiniSearch = createRequire(join(ROOT, "site/.vitepress/"))("minisearch");
  const [chunk = ""] = globSync("assets/chunks/*localSearchIndexroot*.js", { cwd: OUTPUT });
  const { default: index } = await import(/* @vite-ignore */ pathToFileURL(join(OUTPUT, chunk)).href);
  const fields = ["title", "titles", "text"];
  const search = MiniSearch.loadJSON(index, { fields, storeFields: ["title", "titles"], searchOptions });
  return (query) => search.search(query).map(({ id }: { id: string }) => id);
}

it.each([
  ["the section that answers a question among the first three results", 3, questions],
  ["an export, an operation and a topic by name first", 1, firsts],
])("finds %s", async (_, count, searches) => {
  const search = await siteSearch();
  const lost = searches.flatMap(([queries, section]) =>
    queries.split(", ").flatMap((query) => {
      const found = search(query).slice(0, count);
      return found.some((address) => section.test(address)) ? [] : [{ query, section, found }];
    }),
  );
  expect(lost).toEqual([]);
});

describeInChromium("the search", (openPage) => {
  const { open } = startSite(openPage);

  /** Opens the search, and returns a function that types a query and waits until the first results fit. */
  const openSearch = async (options: BrowserContextOptions = {}) => {
    const page = await open("", options);
    const input = page.locator("#localsearch-input");
    // The page listens to the keyboard only once its script has run.
    const isOpen = async () => {
      await page.keyboard.press("Control+k");
      return input.isVisible();
    };
    await expect.poll(isOpen).toBe(true);
    const addresses = () =>
      page
        .locator("#localsearch-list a.result")
        .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href));
    const expectAmongFirst = async (query: string, count: number, section: RegExp) => {
      await input.fill(query);
      const matches = async () => (await addresses()).slice(0, count).some((address) => section.test(address));
      await expect.poll(matches, { message: `${query} finds ${section}` }).toBe(true);
    };
    return { page, addresses, expectAmongFirst };
  };

  it("opens without loading a script, so that it keeps the first keys", async () => {
    const page = await open("");
    await page.waitForLoadState("networkidle");
    await page.route("**/*.js", () => {});
    await page.keyboard.press("/");
    await page.locator("#localsearch-input:focus").waitFor();
    await page.keyboard.type("idempotency key");
    await expect.poll(() => page.locator("#localsearch-input").inputValue()).toBe("idempotency key");
  });

  it("names the entry point of each export with the same name", async () => {
    const { page, expectAmongFirst } = await openSearch();
    await expectAmongFirst("createMock", 1, /mock\/createMock/);
    const titles = (await page.locator("#localsearch-list .titles").allInnerTexts()).slice(0, 3);
    expect(titles.sort()).toEqual(["createMock() · mock", "createMock() · mock/browser", "createMock() · mock/node"]);
  });

  it.each(WIDTHS)("passes axe in light and dark mode, %i pixels wide", async (width) => {
    const { page, expectAmongFirst } = await openSearch({ viewport: { width, height: 900 } });
    await expectAmongFirst("duplicate events", 3, /send-usage-events/);
    // VitePress puts its links into options, and the box into a button.
    expect(await violationsOf(page, [...BROKEN_BY_VITEPRESS, "nested-interactive"])).toEqual([]);
  });

  it("leads to the row of a rule on a narrow screen, below the page's header", async () => {
    const { page, expectAmongFirst } = await openSearch({ viewport: { width: 390, height: 844 } });
    await expectAmongFirst("G-RATE", 1, /rules\S*#G-RATE/);
    await page.keyboard.press("Enter");
    const box = async () => (await page.locator("td#G-RATE").boundingBox())?.y;
    await expect.poll(box).toSatisfy((y) => y > 100 && y < 700);
  });

  it("finds only pages of Current, selects the first result, and opens the selected one with Enter", async () => {
    const { page, addresses, expectAmongFirst } = await openSearch();
    await expectAmongFirst("ApiError", 3, /errors\S*#apierror/);
    const found = await addresses();
    const versions = found.flatMap((address) => /reference\/(20\d\d-\d\d)/.exec(address)?.[1] ?? []);
    expect(new Set(versions)).toEqual(new Set([currentVersion().name]));
    const selected = page.locator("#localsearch-list .selected");
    const address = () => selected.evaluate((link) => (link as HTMLAnchorElement).href);
    await expect.poll(address).toBe(found[0]);
    await page.keyboard.press("ArrowDown");
    await expect.poll(address).toBe(found[1]);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toBe(found[1]);
  });
});
