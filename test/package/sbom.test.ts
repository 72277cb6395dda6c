import { expect, it } from "vitest";
import * as z from "zod/mini";
import manifest from "../../package.json" with { type: "json" };
import lock from "../../package-lock.json" with { type: "json" };
import { sbom } from "../../scripts/sbom.ts";
import { bundledNames } from "../support/bundled-names.ts";

// The part of the JSON schema of CycloneDX 1.6 that the file uses. The schema allows no other fields either.
const Ref = z.string().check(z.minLength(1));
const Component = z.strictObject({
  type: z.enum(["application", "framework", "library"]),
  "bom-ref": Ref,
  name: z.string(),
  version: z.string().check(z.maxLength(1024)),
  purl: z.string().check(z.regex(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/)),
  licenses: z.array(z.strictObject({ license: z.strictObject({ id: z.enum(["MIT", "ISC", "Apache-2.0"]) }) })),
  hashes: z.optional(
    z.array(z.strictObject({ alg: z.literal("SHA-512"), content: z.string().check(z.regex(/^[a-f0-9]{128}$/)) })),
  ),
});
const Bom = z.strictObject({
  $schema: z.literal("http://cyclonedx.org/schema/bom-1.6.schema.json"),
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.6"),
  version: z.int().check(z.minimum(1)),
  metadata: z.strictObject({ component: Component }),
  components: z.array(Component),
  dependencies: z.array(z.strictObject({ ref: Ref, dependsOn: z.array(Ref) })),
});

const bom = await sbom();

it("the bill of materials is valid CycloneDX", () => {
  expect(z.safeParse(Bom, bom).error).toBeUndefined();
  const refs = [bom.metadata.component, ...bom.components].map((component) => component["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  expect(bom.dependencies.map(({ ref }) => ref)).toEqual(refs);
});

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
