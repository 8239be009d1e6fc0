/** A row's columns as a form: a new row, or a change of one. What is not touched is not written. */
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Column, call, type Table } from "../api/calls";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Failure } from "../components/failure";
import { Field, Input, Select, Textarea } from "../components/field";
import { roleName, useRole } from "../role";

type Values = Record<string, string | null>;

interface Props {
  table: Table;
  /** Where the row is; null for a new one. */
  place: string | null;
  values: Values | null;
  /** The column that has the keyboard focus at first. */
  column: string | undefined;
  onClose: () => void;
  onSaved: () => void;
}

export function RowForm({ table, place, values, column, onClose, onSaved }: Props) {
  const { role } = useRole();
  const [changes, setChanges] = useState<Values>({});
  const names = { schema: table.schema, table: table.name };
  const save = useMutation({
    mutationFn: (): Promise<{ count: number }> =>
      place === null
        ? call("insert", { ...names, values: changes, role })
        : call("update", { ...names, id: place, before: values, values: changes, role }),
    onSuccess: () => {
      onSaved();
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      title={place === null ? `New row in ${table.name}` : `Row of ${table.name}`}
      description={`Written as ${roleName(role)}${place === null ? "; what is left alone has its default." : "."}`}
      className="m-auto max-w-xl"
      onClose={onClose}
    >
      <form onSubmit={submit} className="flex flex-col gap-4">
        {table.columns
          .filter((each) => !each.generated)
          .map((each) => (
            <Field
              key={each.name}
              label={each.name}
              hint={`${each.type}${each.not_null ? "" : ", may be NULL"}${each.default && place === null ? `, default ${each.default}` : ""}`}
            >
              {(ids) => (
                <Value
                  ids={{ ...ids, "data-first": each.name === column || undefined }}
                  column={each}
                  value={each.name in changes ? changes[each.name] : (values?.[each.name] ?? null)}
                  touched={each.name in changes}
                  onChange={(value) => setChanges({ ...changes, [each.name]: value })}
                />
              )}
            </Field>
          ))}
        {save.error ? <Failure error={save.error} /> : null}
        <div className="flex justify-end gap-3">
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            busy={save.isPending}
            disabled={place !== null && Object.keys(changes).length === 0}
          >
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ValueProps {
  ids: object;
  column: Column;
  value: string | null | undefined;
  touched: boolean;
  onChange: (value: string | null) => void;
}

function Value({ ids, column, value, touched, onChange }: ValueProps) {
  const choices = column.values ?? (column.type === "boolean" ? ["t", "f"] : null);
  const isLong = column.type === "json" || column.type === "jsonb" || (value ?? "").length > 60;
  return (
    <div className="flex items-start gap-2">
      {choices ? (
        <Select
          {...ids}
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value || null)}
        >
          <option value="">{touched ? "NULL" : "–"}</option>
          {choices.map((each) => (
            <option key={each} value={each}>
              {column.values ? each : each === "t" ? "true" : "false"}
            </option>
          ))}
        </Select>
      ) : isLong ? (
        <Textarea
          {...ids}
          className="w-full font-mono"
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <Input
          {...ids}
          className="w-full font-mono"
          placeholder={value === null && touched ? "NULL" : undefined}
          value={value ?? ""}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
      {!column.not_null && !choices ? (
        <Button
          variant="ghost"
          aria-label={`Set ${column.name} to NULL`}
          onClick={() => onChange(null)}
        >
          NULL
        </Button>
      ) : null}
    </div>
  );
}
