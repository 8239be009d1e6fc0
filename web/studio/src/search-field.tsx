import { useId } from "react";
import { Input, Label } from "@/components/ui/field";

interface Props {
  /** What is searched; also the name for those who do not see the field. */
  title: string;
  value: string;
  onChange: (value: string) => void;
}

/** The search above a list. */
export function SearchField({ title, value, onChange }: Props) {
  const id = useId();
  return (
    <>
      <Label htmlFor={id} className="sr-only">
        {title}
      </Label>
      <Input
        id={id}
        type="search"
        placeholder={title}
        className="h-9 text-sm"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
