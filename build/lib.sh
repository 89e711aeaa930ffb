# Shared by the scripts in this folder: finds or installs what they need, by script only, and says so.
# shellcheck shell=bash
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${PLUMBLINE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/plumbline}
tools=$cache/tools
export PLUMBLINE_CACHE=$cache

go_needed=1.26
node_needed=20.19
node_package=22.23.5 # of npm's node-linux-*
npm_package=11.19.1

say() { printf '== %s\n' "$*" >&2; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }
have() { command -v "$1" >/dev/null 2>&1; }
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; } # at_least FOUND NEEDED

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; elif have sudo; then sudo "$@"; else die "needs root (or sudo) for: $*"; fi; }

apt_updated=
apt_update() {
	[ -n "$apt_updated" ] || as_root apt-get update -qq >&2
	apt_updated=yes
}

# need_packages NAME...: installs those Debian packages that are missing.
need_packages() {
	local missing=() p
	have dpkg-query || { say "not a Debian machine; these have to be there: $*"; return 0; }
	for p in "$@"; do
		[ "$(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null)" = installed ] || missing+=("$p")
	done
	[ ${#missing[@]} -gt 0 ] || return 0
	say "installing Debian packages: ${missing[*]}"
	apt_update
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2 ||
		die "could not install ${missing[*]}: install them by hand and run this again"
}

# backports: adds Debian's backports archive from the mirror that this machine already uses.
backports() {
	local codename mirror
	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	[ -n "$codename" ] || return 1
	if ! apt-get indextargets --format '$(CODENAME)' 2>/dev/null | grep -qx "$codename-backports"; then
		mirror=$(apt-get indextargets --format '$(CODENAME) $(REPO_URI)' | awk -v c="$codename" '$1==c{print $2; exit}')
		[ -n "$mirror" ] || return 1
		say "adding $codename-backports to apt's sources"
		echo "deb $mirror $codename-backports main" | as_root tee /etc/apt/sources.list.d/plumbline-backports.list >/dev/null
		apt_updated=
		apt_update
	fi
	printf '%s-backports' "$codename"
}

go_version() { go env GOVERSION | sed 's/^go//' || true; }

# need_go: Go of at least go_needed; an older one (1.21 or later) brings the right one itself, as go.mod asks.
need_go() {
	local v archive
	cd "$root"
	export PATH="$PATH:/usr/local/go/bin"
	need_packages ca-certificates
	if ! have go || ! at_least "$(GOTOOLCHAIN=local go version | sed -E 's/.*go([0-9.]+).*/\1/')" 1.21; then
		say "no Go of 1.21 or later here: installing Debian's as the bootstrap"
		archive=$(backports) || archive=
		apt_update
		v=$(apt-cache search --names-only '^golang-1\.[0-9]+-go$' | awk '{print $1}' | sort -V | tail -n1)
		[ -n "$v" ] || die "Go $go_needed or later is needed and Debian's archive has none: install it and run this again"
		as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ${archive:+-t "$archive"} "$v" >&2
		PATH=/usr/lib/${v%-go}/bin:$PATH
		PATH=${PATH/golang-/go-}
		export PATH
	fi
	v=$(GOTOOLCHAIN=local go env GOVERSION | sed 's/^go//')
	at_least "$v" "$go_needed" || { export GOTOOLCHAIN=auto; say "Go $v fetches Go $(sed -n 's/^go //p' go.mod) for this module"; }
	v=$(go_version)
	at_least "${v:-0}" "$go_needed" || die "Go $go_needed or later is needed, found ${v:-none}: install it and run this again"
}

# need_node: Node of at least node_needed with an npm that goes with it.
need_node() {
	local v arch
	[ ! -x "$tools/bin/node" ] || export PATH="$tools/bin:$PATH"
	v=$(node -v 2>/dev/null | sed 's/^v//' || true)
	if [ -n "$v" ] && at_least "$v" "$node_needed" && have npm && at_least "$(npm -v)" 10.8; then return 0; fi
	case $(uname -m) in
	x86_64) arch=x64 ;;
	aarch64) arch=arm64 ;;
	*) die "Node $node_needed or later is needed: install it and run this again" ;;
	esac
	have npm || need_packages nodejs npm
	say "installing Node $node_package and npm $npm_package from npm into $tools"
	mkdir -p "$tools/bin" "$tools/npm"
	npm install --prefix "$tools/npm" --no-save --no-audit --no-fund --loglevel=error \
		"node-linux-$arch@$node_package" "npm@$npm_package" >&2 || die "could not bring Node $node_package: install Node $node_needed or later and run this again"
	ln -sf "$tools/npm/node_modules/node-linux-$arch/bin/node" "$tools/bin/node"
	printf '#!/bin/sh\nexec "%s/bin/node" "%s/npm/node_modules/npm/bin/npm-cli.js" "$@"\n' "$tools" "$tools" >"$tools/bin/npm"
	printf '#!/bin/sh\nexec "%s/bin/node" "%s/npm/node_modules/npm/bin/npx-cli.js" "$@"\n' "$tools" "$tools" >"$tools/bin/npx"
	chmod +x "$tools/bin/npm" "$tools/bin/npx"
	export PATH="$tools/bin:$PATH"
	at_least "$(node -v | sed 's/^v//')" "$node_needed" || die "Node $node_needed or later is needed"
}

# need_window: what the window needs to be built (cgo).
need_window() { need_packages gcc libc6-dev pkg-config libgtk-3-dev libwebkit2gtk-4.1-dev; }

# need_display: what shows the window where there is no screen.
need_display() { need_packages xvfb xauth dbus-daemon fonts-dejavu-core xdotool imagemagick; }

# build_app NAME TAGS...: the window, into build/bin/NAME.
build_app() {
	local name=$1 tags=$2
	say "building $name"
	(cd "$root" && go build "$(vcs)" -tags "desktop,production,webkit2_41$tags" -ldflags "-s -w" -o "build/bin/$name" .)
}

# vcs: lets the build stamp its commit where git can tell it.
vcs() { if git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1; then echo -buildvcs=true; else echo -buildvcs=false; fi; }

# build_plumb: the command line, into build/bin/plumb.
build_plumb() { (cd "$root" && CGO_ENABLED=0 go build "$(vcs)" -ldflags "-s -w" -o build/bin/plumb ./backend/cmd/plumb); }
