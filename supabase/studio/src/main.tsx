import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, Navigate, RouterProvider } from "react-router-dom";
import { Frame } from "./frame/frame";
import "./index.css";
import { FilesPage } from "./files/files-page";
import { followSystemTheme } from "./frame/theme";
import { FunctionsPage } from "./pages/functions-page";
import { LogsPage } from "./pages/logs-page";
import { MailsPage } from "./pages/mails-page";
import { RealtimePage } from "./pages/realtime-page";
import { SettingsPage } from "./pages/settings-page";
import { RoleProvider } from "./role";
import { SqlPage } from "./sql/sql-page";
import { PoliciesPage } from "./tables/policies-page";
import { TablePage } from "./tables/table-page";
import { TablesPage } from "./tables/tables-page";
import { UsersPage } from "./users/users-page";

followSystemTheme();
const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root to draw in");
const client = new QueryClient({
  defaultOptions: { queries: { retry: false, networkMode: "always" } },
});
const router = createBrowserRouter([
  {
    element: <Frame />,
    children: [
      { path: "/", element: <Navigate to="/tables" replace /> },
      {
        path: "/tables",
        element: <TablesPage />,
        children: [{ path: ":schema/:table", element: <TablePage /> }],
      },
      { path: "/policies", element: <PoliciesPage /> },
      { path: "/sql", element: <SqlPage /> },
      { path: "/users", element: <UsersPage /> },
      { path: "/files/*", element: <FilesPage /> },
      { path: "/functions", element: <FunctionsPage /> },
      { path: "/mails", element: <MailsPage /> },
      { path: "/realtime", element: <RealtimePage /> },
      { path: "/logs", element: <LogsPage /> },
      { path: "/settings", element: <SettingsPage /> },
      { path: "*", element: <Navigate to="/tables" replace /> },
    ],
  },
]);
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RoleProvider>
        <RouterProvider router={router} />
      </RoleProvider>
    </QueryClientProvider>
  </StrictMode>,
);
