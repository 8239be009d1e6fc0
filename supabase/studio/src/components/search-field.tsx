import { Input } from "./field";

interface Props {
  /** What is searched; also the name for those who do not see the field. */
  title: string;
  value: string;
  onChange: (value: string) => void;
}

/** The search above a list. */
export function SearchField({ title, value, onChange }: Props) {
  return (
    <Input
      type="search"
      aria-label={title}
      placeholder={title}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
