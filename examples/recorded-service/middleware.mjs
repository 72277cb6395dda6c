// What no assumption covers of a service that was recorded: billing mock --assumptions assumptions.json --middleware middleware.mjs

const DASHED = /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i;
const VERSION_4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab]/i;
const TIME = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d+))?(Z|[+-]\d\d:?\d\d)$/i;
const TRUE = [1, "1", "t", "true", "y", "yes", "on"];
const FALSE = [0, "0", "f", "false", "n", "no", "off"];

/** Problems that the mock does not report, or reports in another way, by the place of a value that it rejects. */
class Problems extends Map {
  replace(owner, name, loc, problem) {
    owner[name] = false;
    this.set(JSON.stringify([...loc, name]), { loc: [...loc, name], ...problem });
  }
}

/** Returns a UUID with dashes, which may be sent without them, in braces or as a URN. */
function uuid(sent) {
  const bare = String(sent).replace(/^urn:uuid:|^(\{|%7B)|(\}|%7D)$/gi, "");
  return DASHED.test(bare) ? bare.replace(DASHED, "$1-$2-$3-$4-$5") : sent;
}

/** Returns a timestamp in the form of the specification. A number, also as text, is in seconds, or large and in milliseconds. */
function timestamp(sent) {
  const number = typeof sent === "number" || /^\d+(\.\d+)?$/.test(sent) ? Number(sent) : undefined;
  const date = new Date(number > 2e10 ? number : number * 1000);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  if (typeof sent !== "string") return sent;
  return sent.replace(TIME, (_, day, minutes, seconds = ":00", fraction, zone) => {
    const offset = zone.toUpperCase().replace(/^(...)(\d\d)$/, "$1:$2");
    return `${day}T${minutes}${seconds}${fraction ? `.${fraction}` : ""}${offset}`;
  });
}

const isStorable = (value) => !JSON.stringify(value).match(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** The fields that the service requires under two names of the metadata, and what they must be. */
const SHAPES = {
  _cost: { amount: (value) => value !== "" && Number.isFinite(Number(value)), currency: (value) => value === "usd" },
  _llm: {
    ...Object.fromEntries(["vendor", "model"].map((name) => [name, (value) => typeof value === "string"])),
    ...Object.fromEntries(["input_tokens", "output_tokens", "total_tokens"].map((name) => [name, Number.isInteger])),
  },
};

function readMetadata(event, loc, problems) {
  const { metadata } = event;
  if (!isObject(metadata)) return;
  if (!isStorable(metadata))
    return problems.replace(event, "metadata", loc, { type: "value_error", msg: "Not storable" });
  for (const [name, shape] of Object.entries(SHAPES)) {
    const value = metadata[name];
    const bad = Object.keys(shape).filter((field) => !isObject(value) || !shape[field](value[field]));
    if (value === undefined || bad.length === 0) continue;
    const at = [...loc, "metadata", name];
    metadata[name] = null;
    const place = isObject(value) ? [...at, bad[0]] : at;
    problems.set(JSON.stringify(at), { loc: place, type: "value_error", msg: "Value is invalid" });
  }
}

function readEvent(event, loc, problems) {
  for (const name of ["customer_id", "organization_id", "member_id"])
    if (name in event) event[name] = uuid(event[name]);
  if ("timestamp" in event) event.timestamp = timestamp(event.timestamp);
  // Of two customer ids, the one that is valid counts.
  if (typeof event.external_customer_id === "string" && !VERSION_4.test(event.customer_id)) delete event.customer_id;
  else if (VERSION_4.test(event.customer_id)) delete event.external_customer_id;
  if (event.customer_id === undefined) delete event.member_id;
  if (VERSION_4.test(event.member_id))
    problems.replace(event, "member_id", loc, { type: "member_id", msg: "Member not found." });
  for (const name of ["customer_id", "organization_id"]) {
    if (!DASHED.test(event[name]) || VERSION_4.test(event[name])) continue;
    problems.replace(event, name, loc, { type: "uuid_version", msg: "UUID version 4 expected" });
  }
  if (event.name && !isStorable(event.name))
    problems.replace(event, "name", loc, { type: "value_error", msg: "Not storable" });
  readMetadata(event, loc, problems);
}

function readEndpoint(body, method) {
  if (method === "PATCH") for (const name of Object.keys(body)) if (body[name] === null) delete body[name];
  if (TRUE.includes(body.enabled)) body.enabled = true;
  if (FALSE.includes(body.enabled)) body.enabled = false;
}

/** Returns the body that the mock understands, as text. */
function readBody(text, { method }, problems) {
  let body;
  try {
    body = JSON.parse(text);
  } catch {
    return text;
  }
  if (!isObject(body)) return text;
  if (method === "POST" && Array.isArray(body.events)) {
    for (const [index, event] of body.events.entries()) {
      if (isObject(event)) readEvent(event, ["body", "events", index], problems);
    }
  }
  readEndpoint(body, method);
  return JSON.stringify(body);
}

/** The service looks for these problems last: it reports them with another `error`, and only if there are no others. */
const SEMANTIC = {
  organization_id: ["missing", "value_error"],
  customer_id: ["value_error"],
  member_id: ["member_id"],
};

function toInvalid(detail, text, problems) {
  const all = detail.map((problem) => describe(problems.get(JSON.stringify(problem.loc)) ?? problem, text));
  const isSemantic = ({ loc, type }) => SEMANTIC[loc.at(-1)]?.includes(type);
  const others = all.filter((problem) => !isSemantic(problem));
  const error = others.length > 0 ? "RequestValidationError" : "ServiceRequestValidationError";
  return { error, detail: others.length > 0 ? others : all };
}

function describe(problem, text) {
  const [place] = problem.loc;
  if (place === "header") return { ...problem, loc: ["body"], type: "model_attributes_type" };
  if (problem.type !== "json_invalid") return problem;
  const position = /position (\d+)/.exec(problem.ctx.error)?.[1] ?? text.length;
  const comma = /,\s*$/.exec(text.slice(0, position));
  return { ...problem, loc: ["body", comma ? comma.index : Number(position)] };
}

/** Another slash at the end than the path has. */
const OTHER_SLASH = /^\/v1\/(products|events\/ingest\/|webhooks\/endpoints\/([^/]+\/)?)$/;

/** Reads the request as the service does: an empty version, two tokens, and other spellings of an id. */
function readHead({ url, headers: sent }) {
  const headers = new Headers(sent);
  if (headers.get("service-version") === "") headers.delete("service-version");
  const [scheme, ...tokens] = (headers.get("authorization") ?? "").trim().split(/ +/);
  if (tokens.length > 1) headers.set("authorization", `${scheme} ${tokens.join("-")}`);
  const address = url.replace(/(?<=\/v1\/webhooks\/endpoints\/)[^/?]+(?=$|\?)/, uuid);
  return { headers, address };
}

/** Returns the text of a body; undefined if it is not UTF-8. */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export default async function middleware(request, next) {
  const { pathname } = new URL(request.url);
  if (OTHER_SLASH.test(pathname)) {
    const location = pathname.endsWith("/") ? pathname.slice(0, -1) : `${pathname}/`;
    return new Response(null, { status: 307, headers: { location: new URL(location, request.url).href } });
  }
  const { headers, address } = readHead(request);
  const problems = new Problems();
  const bytes = request.body ? await request.arrayBuffer() : undefined;
  const text = decode(bytes);
  const body = text ? readBody(text, request, problems) : bytes;
  const response = await next(new Request(address, { method: request.method, headers, body, signal: request.signal }));
  if (response.status !== 422) return response;
  if (text === undefined) return Response.json({ detail: "There was an error parsing the body" }, { status: 400 });
  const { detail } = await response.json();
  return Response.json(toInvalid(detail, text, problems), { status: 422, headers: response.headers });
}
