import { ArrowDown, ArrowUp, Copy, Lock, LockOpen, type LucideIcon, Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { type Layer, MOST_LAYERS } from "@/shop/scene/scene";
import type { MakerActions } from "../state/use-maker";

interface LayerActionsProps {
  layer: Layer;
  layers: readonly Layer[];
  actions: MakerActions;
  onRemove: () => void;
}

export function LayerActions({ layer, layers, actions, onRemove }: LayerActionsProps) {
  const place = layers.indexOf(layer);
  return (
    <div className="flex flex-wrap gap-1">
      <Action
        icon={ArrowUp}
        name="Bring forward"
        disabled={place === layers.length - 1}
        onAct={() => actions.reorder(layer.id, 1)}
      />
      <Action
        icon={ArrowDown}
        name="Send backward"
        disabled={place === 0}
        onAct={() => actions.reorder(layer.id, -1)}
      />
      <Action
        icon={layer.locked ? LockOpen : Lock}
        name={layer.locked ? "Unlock" : "Lock"}
        onAct={() => actions.change(layer.id, { locked: layer.locked ? undefined : true })}
      />
      <Action
        icon={Copy}
        name="Duplicate"
        disabled={layers.length >= MOST_LAYERS}
        onAct={() => actions.duplicate(layer.id)}
      />
      <Action icon={Trash2} name="Delete" disabled={layer.locked === true} onAct={onRemove} />
    </div>
  );
}

interface ActionProps {
  icon: LucideIcon;
  name: string;
  disabled?: boolean;
  onAct: () => void;
}

/** Disabled for good reasons only while it has the focus, which it keeps. */
function Action({ icon: Icon, name, disabled = false, onAct }: ActionProps) {
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label={name}
      title={name}
      aria-disabled={disabled || undefined}
      onClick={disabled ? undefined : onAct}
      className="aria-disabled:text-ink-soft aria-disabled:opacity-50"
    >
      <Icon aria-hidden="true" />
    </Button>
  );
}
