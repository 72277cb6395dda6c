import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { committed } from "../../scripts/generate/files.ts";
import { newFolder } from "../support/new-folder.ts";

const root = join(import.meta.dirname, "../..");
const folder = newFolder(afterAll);

it.each(versionNames().map((version) => [version, committed(`versions/${version}/openapi.json`) ?? ""]))(
  "the OpenAPI document for %s passes the linter",
  async (_, text) => {
    const file = join(folder, "document.json");
    writeFileSync(file, text);
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const args = ["lint", file, "--config", join(import.meta.dirname, "redocly.yaml")];
    const { stderr } = await promisify(execFile)(join(root, "node_modules/.bin/redocly"), args, { cwd: folder, env });
    expect(stderr).toContain("Your API description is valid.");
  },
);
