import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TokenInput } from "../../../state/tokens.ts";
import { Card } from "../elements/card.tsx";
import { CodeBlock, CopyButton } from "../elements/code.tsx";
import { Field, Form, filledIn, NumberField, Select, TextField } from "../elements/form.tsx";
import { formatInteger } from "../elements/format.ts";
import { Table } from "../elements/table.tsx";
import { errorMessage, type PanelProps } from "../session/session.ts";

/** The kinds of records that the panel shows and creates, with the fields of the form. */
const KINDS = [
  { title: "Products", noun: "product", path: "/products", fields: ["name"] },
  { title: "Customers", noun: "customer", path: "/customers", fields: ["name", "email"] },
] as const;

type KindProps = PanelProps & (typeof KINDS)[number];

/** Shows products and customers, creates them, and issues access tokens. */
export function RecordsPanel(props: PanelProps): VNode {
  return (
    <div class="sides">
      <div class="cards">
        {KINDS.map((kind) => (
          <RecordList key={kind.path} {...props} {...kind} />
        ))}
      </div>
      <div class="cards">
        <TokenForm {...props} />
        {KINDS.map((kind) => (
          <RecordForm key={kind.path} {...props} {...kind} />
        ))}
      </div>
    </div>
  );
}

type StoredRecord = Readonly<Record<string, unknown>> & { readonly id: string };

/** Maximum number of records in a list. */
const MAX_LISTED = 20;

/** Shows the newest records of one kind. */
function RecordList({ title, noun, path, fields, data, session }: KindProps): VNode {
  const [records, setRecords] = useState<readonly StoredRecord[]>([]);
  useEffect(() => {
    // The connection banner already tells when the server cannot be reached.
    session.api(`GET ${path}`).then(
      (found) => setRecords(found as readonly StoredRecord[]),
      () => {},
    );
  }, [data.revision, session]);
  const rest = records.length - MAX_LISTED;
  return (
    <Card title={title}>
      {records.length === 0 ? (
        <p class="muted">No {noun} yet.</p>
      ) : (
        <Table
          label={`Table of ${noun}s`}
          rows={records.slice(-MAX_LISTED).reverse()}
          keyOf={({ id }) => id}
          columns={([...fields, "id"] as const).map((field) => ({
            title: LABELS[field],
            class: field === "id" ? "break" : "",
            cell: (record: StoredRecord) => (field === "id" ? <code>{record.id}</code> : String(record[field] ?? "")),
          }))}
        />
      )}
      {rest > 0 && <p class="muted">and {formatInteger(rest)} older</p>}
    </Card>
  );
}

const LABELS = { id: "ID", name: "Name", email: "Email" } as const;

/** Creates a record of one kind from a form. */
function RecordForm({ noun, path, fields, session }: KindProps): VNode {
  const create = (form: FormData) =>
    session.act((api) => api(`POST ${path}`, { body: filledIn(form) }), `Created a ${noun}.`);
  return (
    <Form title={`Create a ${noun}`} action={`Create ${noun}`} onSubmit={create}>
      {fields.map((field) => (
        <TextField key={field} name={field} label={LABELS[field]} placeholder="default" />
      ))}
    </Form>
  );
}

const TOKEN_TYPES = [
  ["oat", "Organization access token"],
  ["pat", "Personal access token"],
  ["oidc", "OAuth access token"],
] as const;

/** Issues an access token from a form, and shows it. */
function TokenForm({ data: { organizations }, session }: PanelProps): VNode {
  const [type, setType] = useState<string>("oat");
  const [outcome, setOutcome] = useState<VNode>();
  const issue = async (form: FormData) => {
    const { scopes, expiresIn, ...rest } = filledIn(form);
    const body = {
      ...rest,
      ...(scopes !== undefined && { scopes: scopes.split(/[\s,]+/) }),
      ...(expiresIn !== undefined && { expiresIn: Number(expiresIn) }),
    };
    setOutcome(
      await session.api("POST /tokens", { body: body as TokenInput }).then(
        ({ token }) => (
          <>
            <CodeBlock label="Access token">{token}</CodeBlock>
            <CopyButton text={token} label="Copy" about="access token" />
          </>
        ),
        (error) => <p class="bad">{errorMessage(error)}</p>,
      ),
    );
  };
  return (
    <Form title="Issue an access token" action="Issue token" onSubmit={issue} outcome={outcome}>
      <Field label="Type">
        <Select name="type" value={type} options={TOKEN_TYPES} onChange={setType} />
      </Field>
      {type === "oat" && organizations.length > 1 && (
        <Field label="Organization">
          <Select name="organization" options={organizations.map(({ id, name }) => [id, name])} />
        </Field>
      )}
      <TextField label="Scopes" name="scopes" placeholder="all, or e.g. events:write products:read" />
      <NumberField label="Expires in (s)" name="expiresIn" placeholder="never" />
    </Form>
  );
}
