/** The pages of Studio, and the key that opens each after `g`. */
import {
  Database,
  Folder,
  Mail,
  Radio,
  ScrollText,
  Settings,
  ShieldCheck,
  SquareTerminal,
  Users,
  Zap,
} from "lucide-react";

export const PAGES = [
  { path: "/tables", title: "Tables", letter: "t", icon: Database },
  { path: "/policies", title: "Policies", letter: "p", icon: ShieldCheck },
  { path: "/sql", title: "SQL", letter: "s", icon: SquareTerminal },
  { path: "/users", title: "Users", letter: "u", icon: Users },
  { path: "/files", title: "Files", letter: "f", icon: Folder },
  { path: "/functions", title: "Functions", letter: "n", icon: Zap },
  { path: "/mails", title: "Mails", letter: "m", icon: Mail },
  { path: "/realtime", title: "Realtime", letter: "r", icon: Radio },
  { path: "/logs", title: "Logs", letter: "l", icon: ScrollText },
  { path: "/settings", title: "Settings", letter: "c", icon: Settings },
];
