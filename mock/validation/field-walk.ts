import type { BodyPolicy } from "./body-policy.ts";
import type { ProblemList } from "./problems.ts";

/** Matches the name itself, or an escape of one of its characters. */
const MAY_HOLD_PROTO = /__proto__|\\u00[5-7]/i;

type Path = (string | number)[];

/** Reports every field named `__proto__` (G-PROTO). */
export function addProtoProblems(
  sent: unknown,
  text: string,
  { protoFields }: BodyPolicy,
  problems: ProblemList,
): void {
  if (protoFields === "accept" || !MAY_HOLD_PROTO.test(text)) return;
  const msg = "The name __proto__ is not allowed";
  walk(sent, ["body"], problems, (path) => {
    if (path.at(-1) === "__proto__") problems.add({ loc: [...path], msg, type: "value_error" });
  });
}

/** Reports every field that the contract does not define (G-FIELDS). */
export function addExtraProblems(
  sent: unknown,
  kept: unknown,
  { unknownFields }: BodyPolicy,
  problems: ProblemList,
): void {
  if (unknownFields === "reject") compare(sent, kept, ["body"], problems);
}

/** The maximum number of ignored fields that are listed for a request. */
const MAX_IGNORED = 20;

/**
 * Lists the fields of a valid request that its contract does not define, once for all items of a list:
 * `body.events[].external_Id`.
 *
 * @param kept What the contract keeps of the request.
 */
export function addIgnored(sent: unknown, kept: unknown, path: string, ignored: Set<string>): void {
  if (sent === kept || typeof sent !== "object" || sent === null || typeof kept !== "object" || kept === null) return;
  if (Array.isArray(sent)) {
    for (let i = 0; i < sent.length && ignored.size < MAX_IGNORED; i++) {
      addIgnored(sent[i], (kept as readonly unknown[])[i], `${path}[]`, ignored);
    }
    return;
  }
  for (const name in sent) {
    if (ignored.size >= MAX_IGNORED) return;
    const [field, place] = [(sent as Record<string, unknown>)[name], `${path}.${name}`];
    if (Object.hasOwn(kept, name)) addIgnored(field, (kept as Record<string, unknown>)[name], place, ignored);
    else ignored.add(place);
  }
}

/** Visits every field of a value until the list of problems is full. */
function walk(value: unknown, path: Path, problems: ProblemList, visit: (path: Path) => void): void {
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    if (problems.isFull) return;
    path.push(isList ? Number(name) : name);
    if (!isList) visit(path);
    walk((value as Record<string, unknown>)[name], path, problems, visit);
    path.pop();
  }
}

function compare(sent: unknown, kept: unknown, path: Path, problems: ProblemList): void {
  if (sent === kept || typeof sent !== "object" || sent === null || typeof kept !== "object" || kept === null) return;
  const isList = Array.isArray(sent);
  for (const name of Object.keys(sent)) {
    if (problems.isFull) return;
    const input = (sent as Record<string, unknown>)[name];
    path.push(isList ? Number(name) : name);
    if (Object.hasOwn(kept, name)) compare(input, (kept as Record<string, unknown>)[name], path, problems);
    else problems.add({ loc: [...path], msg: "Extra inputs are not permitted", type: "extra_forbidden", input });
    path.pop();
  }
}
