import type { JSX } from "typedoc";

const roles: Readonly<Record<string, object>> = {
  "col-content": { role: "main" },
  "page-menu": { role: "complementary", "aria-label": "This page" },
};

/**
 * Makes TypeDoc's layout accessible: the parts of a page have the roles by which screen readers find them, a summary contains
 * no link, and the heading of the index has the level below the title.
 */
export function withLandmarks(element: JSX.Element): JSX.Element {
  const names = classesOf(element);
  Object.assign(element.props ?? {}, roles[names[0] ?? ""]);
  if (names.includes("tsd-index-heading") && element.tag === "h5") element.tag = "h2";
  if (element.tag === "summary") removeLinks(element);
  for (const child of childrenOf(element)) withLandmarks(child);
  return element;
}

function removeLinks(element: JSX.Element): void {
  element.children = element.children.filter(
    (child) => !isElement(child) || !classesOf(child).includes("tsd-anchor-icon"),
  );
  childrenOf(element).forEach(removeLinks);
}

function classesOf({ props }: JSX.Element): readonly string[] {
  return ((props as { readonly class?: string } | null)?.class ?? "").split(" ");
}

function childrenOf({ children }: JSX.Element): readonly JSX.Element[] {
  return children.flat(5).filter(isElement);
}

function isElement(child: unknown): child is JSX.Element {
  return typeof child === "object" && child !== null && "children" in child && Array.isArray(child.children);
}
