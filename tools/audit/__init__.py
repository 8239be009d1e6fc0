"""`make audit`: what the project installs, under which licences, and which of it has known vulnerabilities."""
