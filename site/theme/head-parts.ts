import { JSX, type PageEvent } from "typedoc";
import type { SiteModel } from "../model.ts";
import { h, raw } from "./h.ts";

/** Renders what the site adds to the head of a page. */
export function headParts({ model: shown }: PageEvent, model: SiteModel): JSX.Element {
  return h(JSX.Fragment, null, openNavigation(model), shown === model.playground ? playgroundParts() : null);
}

/** Opens the guides and the reference in the navigation for a reader who has not yet opened or closed them. */
function openNavigation({ project }: SiteModel): JSX.Element {
  const titles = (project.categories ?? []).map(({ title }) => title).slice(0, -1);
  const script = `try{for(const key of ${JSON.stringify(titles)}.map((title)=>"tsd-accordion-"+title))if(localStorage.getItem(key)===null)localStorage.setItem(key,"true")}catch{}`;
  return h("script", null, raw(script));
}

function playgroundParts(): JSX.Children {
  return [
    h("link", { rel: "stylesheet", href: "../playground/page.css" }),
    h("script", { defer: true, src: "../playground/page.js" }),
  ];
}
