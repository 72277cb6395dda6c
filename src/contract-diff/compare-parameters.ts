import type { Parameter } from "../openapi/index.ts";
import type { Difference } from "./difference.ts";
import { operationDifference } from "./operation-difference.ts";
import type { ComparedOperation, OperationPair } from "./operations-of.ts";
import { compareSchemas, type SchemaContext } from "./schema/compare-schemas.ts";
import { describeSchema } from "./schema/describe-schema.ts";
import { missingFrom } from "./schema/schema-change.ts";
import { schemaDifference } from "./schema-difference.ts";

/** Compares the parameters of an operation. */
export function compareParameters([before, after]: OperationPair, context: SchemaContext): Difference[] {
  const [old, now] = [byName(before), byName(after)];
  const kept = [...old].flatMap(([name, one]) => {
    const other = now.get(name);
    return other === undefined ? [] : compareParameter(name, one, other, after, context);
  });
  return [
    ...missingFrom([...old.keys()], [...now.keys()]).map((name) => addedParameter(name, now.get(name), after)),
    ...missingFrom([...now.keys()], [...old.keys()]).map((name) =>
      operationDifference(after, "removed", "parameter removed", true, name),
    ),
    ...kept,
  ];
}

/** Returns the parameters of an operation by the name that messages use, for example `query parameter page`. */
function byName({ parameters }: ComparedOperation): Map<string, Parameter> {
  return new Map(parameters.map((each) => [`${each.in} parameter ${each.name}`, each]));
}

function addedParameter(name: string, parameter: Parameter | undefined, after: ComparedOperation): Difference {
  const { required = false, schema = {} } = parameter ?? {};
  const message = `new ${required ? "required" : "optional"} parameter (${describeSchema(schema)})`;
  return operationDifference(after, "added", message, required, name);
}

function compareParameter(
  name: string,
  before: Parameter,
  after: Parameter,
  { id }: ComparedOperation,
  context: SchemaContext,
): Difference[] {
  const changes = compareSchemas(before.schema, after.schema, context);
  const inSchema = { area: "operation", subject: `${id} ${name}` } as const;
  const { required } = after;
  return [
    ...(before.required === required
      ? []
      : [operationDifference({ id }, "changed", `now ${required ? "required" : "optional"}`, required, name)]),
    ...changes.map((change) => schemaDifference(change, inSchema, [{ part: "request", operation: id }])),
  ];
}
