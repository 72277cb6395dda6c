import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { sbom } from "../../scripts/sbom.ts";
import { bundledNames } from "../support/bundled-names.ts";

const bom = await sbom();

it("the bill of materials lists every bundled package, with the version and the digest of the lock file", () => {
  const { packages }: { packages: Record<string, { version?: string; integrity?: string }> } = lock;
  expect(bom.components.map(({ name }) => name)).toEqual(bundledNames());
  for (const { name, version, hashes } of bom.components) {
    const locked = packages[`node_modules/${name}`];
    const digest = Buffer.from(hashes?.[0].content ?? "", "hex").toString("base64");
    expect({ version, integrity: `sha512-${digest}` }).toEqual({
      version: locked?.version,
      integrity: locked?.integrity,
    });
  }
});

it("bundled packages have exact versions in the manifest", () => {
  const wanted: Record<string, string> = manifest.devDependencies;
  expect(bom.components.map(({ name }) => wanted[name])).toEqual(bom.components.map(({ version }) => version));
});
