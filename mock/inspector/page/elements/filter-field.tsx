import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface FilterFieldProps {
  /** The plural noun for the rows. */
  readonly noun: string;
  readonly example: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** Filters a list. The key `/` focuses the field. */
export function FilterField({ noun, example, value, onChange }: FilterFieldProps): VNode {
  const field = useRef<HTMLInputElement>(null);
  // A layout effect, because the shortcut must work as soon as the field is visible.
  useLayoutEffect(() => {
    const focusField = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", focusField);
    return () => removeEventListener("keydown", focusField);
  }, []);
  return (
    <label class="filter">
      <span class="visually-hidden">Filter {noun}</span>
      <input
        ref={field}
        type="search"
        value={value}
        placeholder={`Filter, e.g. ${example}`}
        spellcheck={false}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <kbd>/</kbd>
    </label>
  );
}

/** Returns the rows whose text contains every word of a filter. */
export function filterByWords<Row>(rows: readonly Row[], filter: string, textOf: (row: Row) => string): readonly Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => {
    const text = textOf(row).toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
