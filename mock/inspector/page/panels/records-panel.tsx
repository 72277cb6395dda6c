import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { TokenInput } from "../../../state/tokens.ts";
import { Card } from "../elements/card.tsx";
import { CodeBlock, CopyButton } from "../elements/code.tsx";
import { type Filled, Form, organizationField } from "../elements/form.tsx";
import { Table } from "../elements/table.tsx";
import { useRoute, useTabState } from "../session/hooks.ts";
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
function RecordList({ title, noun, path, fields, ...props }: KindProps): VNode {
  const records = (useRoute(`GET ${path}`, props) ?? []) as readonly StoredRecord[];
  return (
    <Card title={title}>
      <Table
        label={`Table of ${noun}s`}
        empty={`No ${noun} yet.`}
        limit={MAX_LISTED}
        rows={records.toReversed()}
        columns={([...fields, "id"] as const).map((field) => ({
          title: LABELS[field],
          class: field === "id" ? "break" : "",
          cell: (record: StoredRecord) => (field === "id" ? <code>{record.id}</code> : String(record[field] ?? "none")),
        }))}
      />
    </Card>
  );
}

const LABELS = { id: "ID", name: "Name", email: "Email" } as const;

/** Creates a record of one kind from a form. */
function RecordForm({ noun, path, fields, session }: KindProps): VNode {
  return (
    <Form
      title={`Create a ${noun}`}
      action={`Create ${noun}`}
      fields={fields.map((name) => ({ name, label: LABELS[name], placeholder: "optional" }))}
      onSubmit={(body) => session.act((api) => api(`POST ${path}`, { body }), `Created a ${noun}.`)}
    />
  );
}

const TOKEN_TYPES = [
  ["oat", "Organization access token"],
  ["pat", "Personal access token"],
  ["oidc", "OAuth access token"],
] as const;

/** Issues an access token from a form, and shows it. */
function TokenForm({ data: { organizations }, session }: PanelProps): VNode {
  const [type, setType] = useTabState<string>("tokens.type", "oat");
  const [outcome, setOutcome] = useState<VNode>();
  const issue = async ({ scopes, expiresIn, ...rest }: Filled) => {
    const body = {
      ...rest,
      ...(scopes !== undefined && { scopes: scopes.trim().split(/[\s,]+/) }),
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
    <Form
      title="Issue an access token"
      action="Issue token"
      fields={[
        { label: "Type", name: "type", options: TOKEN_TYPES, onChange: setType },
        type === "oat" && organizationField(organizations),
        { label: "Scopes", name: "scopes", placeholder: "all, or e.g. events:write products:read" },
        { label: "Expires in (s)", name: "expiresIn", type: "number", min: 0, placeholder: "never" },
      ]}
      onSubmit={issue}
      outcome={outcome}
    />
  );
}
