import type { OpenApiDocument } from "../../../src/openapi/document.ts";
import {
  beside,
  codeBlock,
  codeGroup,
  linksToTypes,
  linkTypes,
  orList,
  page,
  type Symbols,
  small,
  table,
  toJson,
} from "../../markdown.ts";
import { parametersOf, sourceOf, tagOf, textOf } from "../version-docs.ts";
import { examples } from "./examples.ts";
import { bodyOf, type Field, fieldsOf, modelsIn, parametersIn } from "./fields.ts";
import type { OperationDocs } from "./operation-docs.ts";
import type { SampleResponse } from "./sample-responses.ts";

/** Everything that the page of an operation shows. */
export interface OperationFacts {
  readonly version: string;
  readonly docs: OperationDocs;
  readonly document: OpenApiDocument;
  readonly responses: readonly SampleResponse[];
  readonly symbols: Symbols;
}

/** Returns a request line: method and path. */
export function requestLine({ operation: { method, path } }: OperationDocs): string {
  return `<span class="http-method ${method.toLowerCase()}">${method}</span> \`${path}\``;
}

/** Writes an operation's page in Markdown. */
export function operationPage(facts: OperationFacts): string {
  const { docs, version } = facts;
  const { method, path, summary } = docs.operation;
  const description = `${summary.replace(/\.$/, "")} with ${method} ${path}: signature, parameters, responses and errors in version ${version}.`;
  const body = `${beside(request(facts), examples(docs, version))}

## Response

${response(facts)}

## Errors

${errors(facts)}`;
  const front = {
    title: `${docs.call}()`,
    description,
    source: sourceOf(docs.signature)?.fileName,
    note: summary.replace(/\.$/, ""),
  };
  return page({ ...front, pageClass: "operation", aside: false }, body);
}

function request(facts: OperationFacts): string {
  const { docs } = facts;
  const kinds = docs.credentials.map(({ name, description }) => `${kindOf(description)} (\`${name}\`)`);
  const beta = tagOf(docs.signature, "@beta");
  return `${declaration(facts)}
${requestLine(docs)}

${textOf(docs.signature.comment?.summary)}

- **Credentials:** ${orList(kinds)}
${beta && `- **Beta:** ${beta}\n`}
${parameters(facts)}`;
}

function declaration({ docs: { call, signature }, symbols }: OperationFacts): string {
  const parameters = parametersOf(signature).map((each) => `  ${each},\n`);
  const code = `${call}(\n${parameters.join("")}): ${signature.type}`;
  return codeBlock("ts", code) + linksToTypes(code, symbols);
}

/** Returns a credential's kind, with which its description starts. */
function kindOf(description: string): string {
  return description.replace(/[.,].*$/, "").replace(/^[A-Z][a-z]+\b/, (word) => word.toLowerCase());
}

function parameters({ document, docs: { described, signature }, symbols }: OperationFacts): string {
  const named = (location: "path" | "query") =>
    parametersIn(described, location).map(({ name, required, description, schema }) => {
      const [field] = fieldsOf({ properties: { [name]: schema } }, document) as [Field];
      const documented = signature.parameters?.find((each) => each.name === name)?.comment;
      return { ...field, required, description: description ?? textOf(documented?.summary) };
    });
  const body = described.requestBody?.content["application/json"].schema ?? {};
  const groups = { Path: named("path"), Query: named("query"), Body: fieldsOf(body, document) };
  const sections = Object.entries(groups)
    .filter(([, fields]) => fields.length > 0)
    .map(([title, fields]) => `### ${title}\n\n${fieldTable(fields, symbols, requirement)}`);
  const isOnlyBody = sections.length === 1 && groups.Body.length > 0;
  return isOnlyBody ? sections.join().slice(1) : `## Parameters\n\n${sections.join("\n")}`;
}

function requirement({ path, required }: Field): string {
  if (typeof required === "boolean") return required ? "required" : "";
  const name = path.replace(/^.*\./, "");
  return `required without \`${required.filter((other) => other !== name).join("` or `")}\``;
}

function fieldTable(fields: readonly Field[], symbols: Symbols, note: (field: Field) => string): string {
  const rows = fields.map((field) => {
    const type = field.type.replaceAll(/`([A-Z]\w+)`/g, (_, name: string) => linkTypes(name, symbols));
    return [`\`${field.path}\`${small([type, note(field)])}`, field.description];
  });
  return table(["Field", "Meaning"], rows);
}

function response({ document, docs, responses, symbols }: OperationFacts): string {
  const { status } = docs.operation.response;
  const sample = responses.find((each) => each.status === status);
  const schema = bodyOf(docs.described, status);
  if (Object.keys(schema).length === 0) return `Status ${status}, without a body.\n`;
  const models = modelsIn(schema).map((name) => `, ${linkTypes(name, symbols)}`);
  const note = ({ required }: Field) => (required === true ? "" : "optional");
  const fields = fieldTable(fieldsOf(schema, document), symbols, note);
  return beside(
    `Status ${status}${models.join("")}.\n\n${fields}`,
    codeBlock("json", toJson(sample?.body), `${status}`),
  );
}

function errors({ docs, responses, version, symbols }: OperationFacts): string {
  const { method } = docs.operation;
  const failures = responses.filter(({ status }) => status !== docs.operation.response.status);
  const rows = failures.map(({ status, code, when }) => {
    const models = modelsIn(bodyOf(docs.described, status)).map((name) => linkTypes(name, symbols));
    return [`${status}${code === undefined ? "" : small([`\`${code}\``])}`, when + small([orList(models)])];
  });
  const bodies = failures.map(({ status, code = "", body }) =>
    codeBlock("json", toJson(body), `${status} ${code}`.trim()),
  );
  const text = `${table(["Status", "When, and body type"], rows)}
The specification defines only 404 and 422; the others are [assumptions](/guides/rules#assumptions). The client throws each as an \`ApiError\` with \`status\`, \`code\` and a typed \`body\`. Any operation can also fail with ${method === "GET" ? "" : "a 413, "}a 429 or a 5xx: see [Status codes](/guides/errors#status-codes). [Errors](/reference/${version}/errors) lists the other errors that a call can throw, such as network failures, and what to do about each.
`;
  return beside(text, codeGroup(bodies));
}
