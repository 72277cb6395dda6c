import { describeType, describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import type { ClientOptions, Environment } from "./options.ts";

/** Returns the base URL that the options select, without a trailing slash. */
export function readBaseUrl(options: ClientOptions): string {
  const environment = readEnvironment(options.environment);
  return options.baseUrl === undefined ? ENVIRONMENTS[environment] : checkBaseUrl(options.baseUrl);
}

function readEnvironment(value: unknown = "production"): Environment {
  if (typeof value === "string" && Object.hasOwn(ENVIRONMENTS, value)) return value as Environment;
  const names = Object.keys(ENVIRONMENTS).map((name) => JSON.stringify(name));
  const problem = `must be ${names.join(" or ")}; received ${describeValue(value)}; for another address, set baseUrl`;
  throw new InvalidInputError("environment", problem);
}

function checkBaseUrl(value: unknown): string {
  const url = parse(value);
  const problem = url === undefined ? notAbsolute(value) : problemOf(url);
  if (url === undefined || problem !== undefined) throw new InvalidInputError("baseUrl", problem ?? "");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function parse(value: unknown): URL | undefined {
  if (typeof value !== "string" && !(value instanceof URL)) return undefined;
  return URL.parse(String(value)) ?? undefined;
}

/** Does not show the value, which may be a token. */
function notAbsolute(value: unknown): string {
  const received = typeof value === "string" ? "a string without a valid scheme and host" : describeType(value);
  return `must be an absolute URL, such as "https://billing.example.com"; received ${received}`;
}

/** Returns the problem without the address, which may contain a password. */
function problemOf(url: URL): string | undefined {
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `must start with https:// or http://${received(url)}`;
  if (url.username !== "" || url.password !== "") return "must not contain a user name or a password";
  if (url.href.includes("?")) return "must not contain a query";
  if (url.href.includes("#")) return "must not contain a fragment";
  return undefined;
}

/** Names the scheme, which is the host of `localhost:4010`; nothing if it may be the user name before a password. */
function received({ protocol, href }: URL): string {
  return href.includes("@") ? "" : `; its scheme is ${describeValue(protocol)}`;
}

/**
 * The base URL of each environment. They are placeholders, since the specification names none (G-BASE). Override them
 * with `baseUrl`.
 */
export const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  production: "https://api.billing-service.example",
  sandbox: "https://sandbox-api.billing-service.example",
};
