import { copyFileSync, globSync, mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, inject, it, onTestFinished } from "vitest";
import { newFolder } from "../support/new-folder.ts";
import { blocksOf } from "../support/pages/blocks.ts";
import { end, served } from "../support/pages/served.ts";
import { run } from "../support/workspace.ts";

/** The instructions in the guide's Dockerfile, without `FROM`. */
function instructions(): [instruction: string, value: string][] {
  const block = blocksOf("docs/server.md").find(({ language }) => language === "dockerfile");
  const lines = block?.code.trimEnd().split("\n") ?? [];
  expect(lines[0]).toMatch(/^FROM node:\d+/);
  return lines.slice(1).map((line) => [line.slice(0, line.indexOf(" ")), line.slice(line.indexOf(" ") + 1)]);
}

it("the Dockerfile instructions in docs/server.md work in an empty folder, without a registry", async () => {
  const root = newFolder();
  const context = join(root, "context");
  for (const folder of [context, join(root, "tmp")]) mkdirSync(folder);
  copyFileSync(inject("tarball"), join(context, basename(inject("tarball"))));
  const inContainer = (command: string) => command.replaceAll("/tmp/", `${root}/tmp/`);
  const env = { npm_config_prefix: root, npm_config_offline: "true" };

  for (const [instruction, value] of instructions()) {
    if (instruction === "COPY") {
      const [from = "", to = ""] = value.split(" ");
      const files = globSync(from, { cwd: context });
      expect(files).toHaveLength(1);
      for (const file of files) copyFileSync(join(context, file), join(inContainer(to), file));
    } else if (instruction === "RUN") {
      expect(await run("sh", ["-c", inContainer(value)], root, env)).toMatchObject({ status: 0 });
    } else {
      expect(instruction).toBe("CMD");
      const [program, ...parameters] = JSON.parse(value) as string[];
      const server = await served([join(root, "bin", `${program}`), ...parameters, "--port", "0"].join(" "), root);
      onTestFinished(() => end(server));
      const response = await fetch(`${server.url}/v1/products/`);
      expect(response.status).toBe(401);
    }
  }
});
