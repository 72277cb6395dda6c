import type { JSX } from "typedoc";
import type { SiteModel } from "../model.ts";
import { h, raw } from "./h.ts";

/** Opens the guides and the reference in the navigation for a reader who has not yet opened or closed them. */
export function openNavigation({ project }: SiteModel): JSX.Element {
  const titles = (project.categories ?? []).map(({ title }) => title).slice(0, -1);
  const script = `try{for(const key of ${JSON.stringify(titles)}.map((title)=>"tsd-accordion-"+title))if(localStorage.getItem(key)===null)localStorage.setItem(key,"true")}catch{}`;
  return h("script", null, raw(script));
}
