import { basename, matchesGlob } from "node:path";
import { expect, inject, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { ready } from "../support/command.ts";
import { blocksOf } from "../support/pages/blocks.ts";

it("the Dockerfile in docs/server.md copies the tarball, and starts a command of the package", async () => {
  const { code = "" } = blocksOf("docs/server.md").find(({ language }) => language === "dockerfile") ?? {};
  const [, from = "", command = ""] = /^COPY (\S+) .*^CMD (.+)$/ms.exec(code) ?? [];
  expect(matchesGlob(basename(inject("tarball")), from)).toBe(true);
  const [program, name, ...parameters] = JSON.parse(command) as string[];
  expect(manifest.bin).toHaveProperty(String(program));
  expect(name).toBe("mock");
  const { url } = await ready(parameters);
  expect((await fetch(`${url}/v1/products/`)).status).toBe(401);
});
