import type { ComponentChildren, VNode } from "preact";

interface PropertyListProps {
  readonly properties: readonly (readonly [name: string, value: ComponentChildren])[];
}

/** Lists names and values. Leaves out properties without a value. */
export function PropertyList({ properties }: PropertyListProps): VNode {
  return (
    <dl class="properties">
      {properties
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
