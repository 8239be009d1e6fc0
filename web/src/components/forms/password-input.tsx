import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";

/** What Auth asks of a new password, said before it fails. */
export const PASSWORD_RULE = "At least 6 characters.";

/** A password that can be shown while it is typed. */
export function PasswordInput(props: Omit<ComponentProps<"input">, "type">) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Input
        {...props}
        type={shown ? "text" : "password"}
        autoCapitalize="off"
        spellCheck={false}
        className="pr-12"
        required
      />
      <Button
        variant="ghost"
        size="icon"
        className="absolute top-0.5 right-0.5 text-ink-soft"
        aria-label="Show the characters"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
      >
        {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
      </Button>
    </div>
  );
}
