/** The filters of a table: applied with Enter, each with a button that takes it away. */
import { X } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Column, Comparison } from "../api/calls";
import { Button } from "../components/button";
import { Input, Select } from "../components/field";

export type Filter = Comparison;

const OPERATORS = [
  "equals",
  "differs",
  "contains",
  "less",
  "less or equal",
  "greater",
  "greater or equal",
  "is empty",
  "is not empty",
];

interface Props {
  columns: Column[];
  filters: Filter[];
  onChange: (filters: Filter[]) => void;
}

export function FilterBar({ columns, filters, onChange }: Props) {
  const [column, setColumn] = useState(columns[0]?.name ?? "");
  const [operator, setOperator] = useState("equals");
  const [value, setValue] = useState("");
  const takesValue = !operator.startsWith("is ");
  const add = (event: FormEvent) => {
    event.preventDefault();
    onChange([...filters, { column, operator, value: takesValue ? value : "" }]);
  };
  return (
    <form
      onSubmit={add}
      className="flex flex-wrap items-center gap-2 border-b border-line px-4 py-2"
    >
      <Select
        data-filter
        aria-label="Column to filter by"
        className="w-40"
        value={column}
        onChange={(event) => setColumn(event.target.value)}
      >
        {columns.map((each) => (
          <option key={each.name}>{each.name}</option>
        ))}
      </Select>
      <Select
        aria-label="Comparison"
        className="w-36"
        value={operator}
        onChange={(event) => setOperator(event.target.value)}
      >
        {OPERATORS.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Select>
      {takesValue ? (
        <Input
          aria-label="Value"
          className="w-48"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      ) : null}
      <Button type="submit" variant="secondary">
        Filter
      </Button>
      {filters.map((filter, at) => (
        <span
          key={`${filter.column} ${filter.operator} ${filter.value}`}
          className="inline-flex items-center gap-1 rounded-full border border-line-strong py-0.5 pr-1 pl-3 text-sm"
        >
          {filter.column} {filter.operator} {filter.value}
          <button
            type="button"
            className="grid size-6 place-items-center rounded-full hover:bg-sunk"
            aria-label={`Remove the filter ${filter.column} ${filter.operator} ${filter.value}`}
            onClick={() => onChange(filters.filter((_, other) => other !== at))}
          >
            <X aria-hidden="true" className="size-3.5" />
          </button>
        </span>
      ))}
    </form>
  );
}
