// Writes the software bill of materials of a release to "sbom.cdx.json": the package, and the packages that are compiled in.
import { readFileSync, writeFileSync } from "node:fs";
import { type BundledPackage, bundledPackages } from "./bundled-packages.ts";

const root = new URL("..", import.meta.url);

/**
 * Returns the bill of materials of the package, in the format CycloneDX 1.6. The same sources give the same text, so it
 * contains no time and no id.
 */
export async function sbom() {
  const components = (await bundledPackages()).map((each) => componentOf(each, digestOf(each.name)));
  const component = componentOf(json("package.json"));
  const refs = components.map(({ purl }) => purl);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component },
    components,
    dependencies: [{ ref: component.purl, dependsOn: refs }, ...refs.map((ref) => ({ ref, dependsOn: [] }))],
  };
}

type Described = Pick<BundledPackage, "name" | "version" | "license">;

/** Describes a package; `digest` is the digest of its tarball in the registry. */
function componentOf({ name, version, license }: Described, digest?: string) {
  const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
  const hashes = digest === undefined ? undefined : ([{ alg: "SHA-512", content: digest }] as const);
  return { type: "library", "bom-ref": purl, name, version, purl, licenses: [{ license: { id: license } }], hashes };
}

/** Returns the digest of a package in the lock file, in hexadecimal. */
function digestOf(name: string): string {
  const { packages } = json<{ packages: Record<string, { integrity?: string }> }>("package-lock.json");
  const { integrity } = packages[`node_modules/${name}`] ?? {};
  if (!integrity?.startsWith("sha512-")) throw new Error(`package-lock.json has no SHA-512 digest of ${name}.`);
  return Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
}

function json<Value extends object = Described>(file: string): Value {
  return JSON.parse(readFileSync(new URL(file, root), "utf8"));
}

if (import.meta.main) writeFileSync(new URL("sbom.cdx.json", root), `${JSON.stringify(await sbom(), null, 2)}\n`);
