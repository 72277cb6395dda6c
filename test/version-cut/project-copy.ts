import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { linkPackages } from "../support/packed.ts";
import { type Outcome, run } from "../support/workspace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A copy of the project in its own git repository, with uncommitted files and linked packages. */
export class ProjectCopy implements Disposable {
  readonly folder: string = mkdtempSync(join(tmpdir(), "billing-project-"));

  constructor() {
    for (const file of gitOf(root, "ls-files", "--cached", "--others", "--exclude-standard").split("\n")) {
      if (file === "") continue;
      mkdirSync(dirname(join(this.folder, file)), { recursive: true });
      cpSync(join(root, file), join(this.folder, file));
    }
    // The cache is not linked, because the copy has its own build.
    const names = readdirSync(join(root, "node_modules")).filter((name) => name !== ".cache");
    linkPackages(join(this.folder, "node_modules"), join(root, "node_modules"), names);
    this.git("init", "--quiet");
    this.commit();
  }

  /** Runs git in the copy, and returns its output. */
  git(...parameters: readonly string[]): string {
    return gitOf(this.folder, ...parameters);
  }

  /** Commits every file. */
  commit(): void {
    this.git("add", "--all");
    const author = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgSign=false"];
    this.git(...author, "commit", "--quiet", "--no-verify", "--message", "Project");
  }

  /** Runs a Node.js program of the project. */
  node(...parameters: readonly string[]): Promise<Outcome> {
    return run(process.execPath, parameters, this.folder);
  }

  /** Runs a line of commands. */
  shell(line: string): Promise<Outcome> {
    return run("sh", ["-c", line], this.folder);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function gitOf(cwd: string, ...parameters: readonly string[]): string {
  return execFileSync("git", parameters, { cwd, encoding: "utf8" });
}
