import type { PlaygroundContent } from "../link.ts";
import type { Playground } from "./app.tsx";
import { sampleVersion } from "./content.ts";
import type { Exchange } from "./session.ts";

/** The reason for a response, and what to do. */
export interface Explanation {
  readonly title: string;
  readonly text: string;
  /** Each field that is invalid, with what is wrong. */
  readonly problems?: readonly (readonly [field: string, problem: string])[];
  readonly fix?: { readonly title: string; readonly changes: Partial<PlaygroundContent> };
}

interface Problem {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly ctx?: { readonly error?: string };
}

/** Explains a response that a reader may not expect; undefined if it needs no explanation. */
export function explain(exchange: Exchange, playground: Playground): Explanation | undefined {
  const { asked, used, response } = exchange;
  const { detail, inserted, duplicates } = parse(response.body);
  if (response.status === 404 && asked !== null && used === null) return unsupported(asked, playground);
  if (response.status === 404) return wrongSlash(exchange, playground);
  if (response.status === 401) return UNAUTHORIZED[playground.content.credential] ?? UNKNOWN_TOKEN;
  if (response.status === 403) return forbidden(exchange, playground);
  if (response.status === 422 && Array.isArray(detail)) {
    const problems = (detail as Problem[]).slice(0, 10).map(({ loc, msg, ctx }) => {
      return [loc.join("."), [msg, ctx?.error].filter(Boolean).join(": ")] as const;
    });
    return { title: count(detail.length, "problem"), text: "The service changed nothing.", problems };
  }
  if (typeof duplicates !== "number" || duplicates === 0) return undefined;
  return {
    title: `${count(Number(inserted), "event")} stored, ${count(duplicates, "duplicate")} skipped`,
    text: "It is assumed that the service stores each external_id once, so you can send a batch again.",
  };
}

function unsupported(asked: string, { session }: Playground): Explanation {
  const { current, next } = session.mock.versions;
  const isRemoved = session.stateOf(asked) === "Removed";
  const hint = asked > next ? " A release creates the next version." : "";
  return {
    title: isRemoved ? `${asked} was removed by a release.` : `The service does not know ${asked}.`,
    text: `It supports ${Object.values(session.mock.versions).join(", ")}, and uses ${current} if a request names none.${hint}`,
    fix: { title: `Use ${current}, which is Current`, changes: { version: current } },
  };
}

/** Explains a path that is an operation's except for the slash at its end. */
function wrongSlash({ request }: Exchange, { content }: Playground): Explanation | undefined {
  const { pathname, search } = new URL(request.url);
  const other = pathname.endsWith("/") ? pathname.slice(0, -1) : `${pathname}/`;
  const paths = sampleVersion(content.version).operations.map(({ path }) => path.split("?")[0]);
  if (paths.includes(pathname) || !paths.includes(other)) return undefined;
  return {
    title: "No operation has this path.",
    text: `Did you mean ${other}?`,
    fix: { title: `Use ${other}`, changes: { path: `${other}${search}` } },
  };
}

const UNAUTHORIZED: Readonly<Record<string, Explanation>> = {
  none: { title: "The request has no token.", text: "Select one above." },
  expired: {
    title: "The token expired a minute ago.",
    text: "Use a new one. A client with a token function renews it and retries once.",
  },
};
const UNKNOWN_TOKEN: Explanation = {
  title: "The service does not know this token.",
  text: "Remove the Authorization header to send the selected one.",
};

function forbidden({ request }: Exchange, { content }: Playground): Explanation {
  const path = new URL(request.url).pathname;
  const operation = sampleVersion(content.version).operations.find(
    (each) => each.method === request.method && each.path.split("?")[0] === path,
  );
  const owned = content.scopes === "" ? "no scope" : `only ${content.scopes.replaceAll(" ", ", ")}`;
  const [required = ""] = operation?.scopes ?? [];
  return {
    title: "The token is valid, but lacks a scope.",
    text: `It has ${owned}.${operation ? ` ${operation.name} requires ${operation.scopes.join(" or ")}.` : ""}`,
    ...(operation && {
      fix: { title: `Add ${required}`, changes: { scopes: `${content.scopes} ${required}`.trim() } },
    }),
  };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
