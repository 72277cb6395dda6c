import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { CURRENT } from "../support/versions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = `${root}test/package/user.ts`;

/**
 * Returns what an editor shows for names in a program: the signature, the description and the tags. The last use of a name
 * counts.
 */
function hovers(program: string, ...names: readonly string[]): string[] {
  const readFile = (path: string) => (path === file ? program : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
    readFile,
    getCompilationSettings: () => ({ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, strict: true }),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(readFile(path) ?? ""),
  });
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
  return names.map((name) => {
    const info = service.getQuickInfoAtPosition(file, program.lastIndexOf(name));
    const tags = info?.tags?.map((tag) => `@${tag.name} ${ts.displayPartsToString(tag.text)}`) ?? [];
    const parts = [info?.displayParts, info?.documentation].map(ts.displayPartsToString);
    return [...parts, ...tags].join("\n");
  });
}

it.each(versionNames().map((version, index) => [version, index] as const))(
  "an editor shows the state of %s at createClient",
  (version, index) => {
    const [text] = hovers(`import { createClient } from "@billing-service/sdk/${version}";`, "createClient");
    const notes = [/^@deprecated The release between /m, /^Creates a client/m, /This version is Next/];
    expect(text).toMatch(/createClient\(options: ClientOptions\): BillingClient/);
    expect(text).toMatch(notes[index] as RegExp);
  },
);

it("an editor shows named types, declared failures without a list of other statuses, purpose and scopes", () => {
  const [method, rejection, status] = hovers(
    `import { createClient } from "@billing-service/sdk/${CURRENT}";
    const billing = createClient({ accessToken: "token" });
    await billing.webhooks.getEndpoint("id");
    const { error: failure } = await billing.events.ingest([]).safe();
    if (failure?.name === "ApiError") { const rejection = failure; const status = rejection.status; }`,
    ...["getEndpoint", "rejection = ", "status = "],
  );
  expect(method).toContain("): Call<WebhookEndpoint, OperationError<ResourceFailures>>");
  expect(method).toMatch(/^Gets a webhook endpoint by its id\. Requires the scope.*^@param id.*^@throws /ms);
  expect(rejection).toMatch(/(?=.*ApiError<422, HTTPValidationError>)(?=.*UndeclaredApiError)/s);
  expect(status).toMatch(/^const status: number\n/);
});

it("an editor shows the options and events of webhooks by their names", () => {
  const [handler, paid, other, event] = hovers(
    `import { createWebhookHandler, verifyWebhook } from "@billing-service/sdk/${CURRENT}/webhooks";
    createWebhookHandler({ secret: "", on: { "order.paid": (paid) => paid, "*": (other) => other } });
    const event = await verifyWebhook(new Request(""), { secret: "" });`,
    ...["createWebhookHandler(", "paid) =>", "other) =>", "event ="],
  );
  expect(handler).toMatch(/^[^|]+\(options: WebhookHandlerOptions<WebhookSchemas>\): DeliveryHandler\n/);
  expect(paid).toMatch(/^\(parameter\) paid: KnownWebhookEvent<"order.paid", unknown>\n/);
  expect([other, event].join("")).toMatch(
    /^.*other: WebhookEvent<WebhookSchemas>\n.*event: WebhookEvent<WebhookSchemas>\n/s,
  );
});
