import { statSync } from "node:fs";
import { isVersion } from "../../src/lifecycle/index.ts";
import { print } from "../../terminal/output.ts";
import { parseOptions } from "../../terminal/parse-options.ts";
import { explainFileError } from "../../terminal/read-file.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import { EXIT_CODE } from "../exit-code.ts";
import type { NamedCommand } from "../named-command.ts";
import { formatUpgrade, type UpgradeResult } from "../upgrade/format-upgrade.ts";
import { compareWithVersion } from "../upgrade/mentioned-differences.ts";
import { planUpgrade } from "../upgrade/plan-upgrade.ts";
import { replaceFiles } from "../upgrade/replace-files.ts";
import { scanProject } from "../upgrade/scan-project.ts";
import { findVersionStrings } from "../upgrade/version-strings.ts";
import { CURRENT, type PackagedVersion, readVersion, versionNames } from "../versions.ts";

const help = `billing upgrade: move a project to another API version

Usage:
  $ billing upgrade --to ${CURRENT} [folder] [options]

Changes the version in import paths of the package in TypeScript and JavaScript files, for example in
@billing-service/sdk/${versionNames[0]}/webhooks. Lists the contract differences that concern names used in your
code, and the remaining steps.

Options:
      --to <YYYY-MM>    API version to move to: ${versionNames.join(", ")}
      --from <YYYY-MM>  Only move imports of this version; can be repeated (default: every older version)
      --dry-run         Change nothing; only print what would change
      --json            Print the result as one line of JSON
  -h, --help            Print this help

Skipped: node_modules, dist, .git, symbolic links, and what git ignores. Either all files are changed or none.

Exit codes: 0 success, also if nothing had to change, 1 failed; no file was changed, 2 invalid arguments
`;

const OPTIONS = {
  to: { type: "string" },
  from: { type: "string", multiple: true },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
} as const;

interface UpgradeSettings {
  readonly folder: string;
  readonly to: PackagedVersion;
  readonly from: readonly string[] | undefined;
  readonly dryRun: boolean;
}

/** The command `billing upgrade`. */
export const upgrade: NamedCommand = {
  name: "upgrade",
  summary: "Move a project to another API version",
  help,
  run: async (args) => {
    const { values, positionals } = parseOptions(args, {
      command: "billing upgrade",
      options: OPTIONS,
      allowPositionals: true,
    });
    const folder = readFolder(positionals);
    const { from, json, "dry-run": dryRun = false } = values;
    const result = run({ folder, to: readTarget(values.to), from: from?.map(requireVersion), dryRun });
    await print(json ? `${JSON.stringify(withoutTexts(result))}\n` : formatUpgrade(result));
    return EXIT_CODE.success;
  },
};

function readFolder([folder = ".", ...others]: readonly string[]): string {
  if (others.length > 0) throw new UsageError(`expected one folder; received ${others.length + 1}.`);
  try {
    if (statSync(folder).isDirectory()) return folder;
  } catch (error) {
    throw new UsageError(`${folder}: ${explainFileError(error)}.`);
  }
  throw new UsageError(`${folder} is not a folder.`);
}

function readTarget(given: string | undefined): PackagedVersion {
  const version = readVersion(given, "--to");
  if (version !== undefined) return version;
  throw new UsageError(`--to is missing; expected one of: ${versionNames.join(", ")}.`);
}

function requireVersion(given: string): string {
  if (isVersion(given)) return given;
  throw new UsageError(`--from must be an API version such as ${CURRENT}, not "${given}".`);
}

/** Plans everything before the first file is changed. */
function run({ folder, to, from, dryRun }: UpgradeSettings): UpgradeResult {
  const { files, unread, count } = scanProject(folder);
  const plan = planUpgrade(files, { to, from });
  const steps = plan.from.map((version) => compareWithVersion(version, to, files));
  const versionStrings = findVersionStrings(plan.from, files);
  if (!dryRun) replaceFiles(plan.files);
  return { ...plan, to, dryRun, steps, versionStrings, unread, count };
}

/** Returns the result without the texts of the files. */
function withoutTexts(result: UpgradeResult): object {
  const files = result.files.map(({ path, imports }) => ({
    path,
    imports: imports.map(({ version, line }) => ({ version, line })),
  }));
  return { ...result, files };
}
