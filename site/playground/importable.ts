/** The entry points that programs in the playground can import, by the name of their folder in URLs of the site. */
const MODULES = ["client", "webhooks", "usage", "mock", "sdk"];

/** Returns whether programs in the playground can import an entry point. */
export function isImportable(slug: string): boolean {
  return MODULES.includes(slug);
}
