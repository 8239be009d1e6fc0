#!/usr/bin/env bash
# A wheel as a stranger without a network has it: a folder of wheels, pipx, an account that is nobody's, and a project.
#   sudo tests/localbase/offline_wheel.sh dist/localbase-0.3.0-py3-none-any.whl
# Linux, as root: what is tried has a network namespace of its own. PYTHON names the interpreter (default: python3).
set -euo pipefail
wheel=$(realpath "$1")
python=${PYTHON:-python3}
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/tools"
"$work/tools/bin/pip" install --quiet pipx==1.18.4
# pip itself as well: pipx looks for a newer one.
"$work/tools/bin/pip" download --quiet --dest "$work/wheels" "$wheel" pip
cp -r examples/todo "$work/todo"
rm -rf "$work/todo/supabase/.localbase"
mkdir "$work/home"
chown -R nobody "$work/todo" "$work/home"
chmod 755 "$work"

cat > "$work/try.sh" << 'EOF'
set -euo pipefail
# No route leads anywhere: there is the table's head alone.
test "$(wc -l < /proc/net/route)" -eq 1
localbase() { pipx run --spec "$WHEEL" localbase "$@"; }
localbase start
eval "$(localbase status -o env)"
python3 - "$STUDIO_URL" "$REST_URL/" << 'END'
import sys, urllib.request
assert "<title>" in urllib.request.urlopen(sys.argv[1]).read().decode()
END
localbase db query "select count(*) from auth.users"
localbase stop --no-backup
EOF
unshare --net bash -c 'ip link set lo up; exec "$@"' - \
    setpriv --reuid nobody --regid nogroup --clear-groups \
    env -i -C "$work/todo" HOME="$work/home" PATH="$work/tools/bin:/usr/local/bin:/usr/bin:/bin" WHEEL="$wheel" \
    PIP_NO_INDEX=1 PIP_FIND_LINKS="$work/wheels" PIPX_DEFAULT_PYTHON="$work/tools/bin/python" \
    bash "$work/try.sh"
echo "the wheel runs a project without a network"
