import { type Application, type Reflection, type Router, StructureRouter } from "typedoc";

/** Builds URLs that are the same in every version: `client/createClient.html`, `guides/testing.html`. */
export function siteRouter(slugs: ReadonlyMap<Reflection, string>): new (app: Application) => Router {
  return class extends StructureRouter {
    protected override getIdealBaseName(reflection: Reflection): string {
      const slug = slugs.get(reflection);
      if (slug !== undefined) return slug;
      const { parent } = reflection;
      const folder = parent && !parent.isProject() ? `${this.getIdealBaseName(parent)}/` : "";
      return folder + this.getUrlSafeName(reflection.name);
    }
  };
}
