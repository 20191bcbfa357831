#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Run by run.sh inside a bare Debian: the recipes of docs/ci.md, read from that file, in a repository with a small
# OpenCL program and its tests. The work of GitHub's and GitLab's runners and Docker's with the lines is done by hand.
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:$PATH
recipes=/given/ci.md
echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/quick # this system is thrown away: no waiting for the disk
echo 'APT::Sandbox::User "root"; quiet "1";' >/etc/apt/apt.conf.d/quick
# The sudo of a runner whose user is root already.
printf '#!/bin/sh\nexec "$@"\n' >/usr/local/bin/sudo
chmod +x /usr/local/bin/sudo

# block TITLE LANGUAGE: the lines of the recipe in a section.
block() {
  sed -n "/^## $1\$/,/^## /p" "$recipes" | sed -n "/^\`\`\`$2\$/,/^\`\`\`\$/p" | sed '1d;$d'
}
# The system that a recipe starts from: a folder of its own, with the repository in /repository.
fresh() {
  rm -rf /repository
  cp -r /given/recipe_project /repository
  mkdir /repository/ci
  cp /given/clarity.deb /repository/ci/clarity-opencl_0_amd64.deb
  cp /given/*.whl /repository/ci/ 2>/dev/null || true
  cd /repository
}
# follow NAME LINES: each line as a shell gets it, until one fails.
follow() {
  local line count=0
  while IFS= read -r line; do
    [ -n "$line" ] || continue
    count=$((count + 1))
    echo "+ $line"
    bash -eo pipefail -c "$line" </dev/null || { echo "failed: $1: $line"; exit 1; }
  done <<<"$2"
  [ "$count" -gt 0 ] || { echo "failed: $1: $recipes has no such lines"; exit 1; }
}

fresh
follow "GitLab CI" "$(block 'GitLab CI' yaml | sed -n 's/^    - //p')"
cp build/my_program /tmp/my_program
apt-get purge -y clarity-opencl

# The image of GitHub's runners has compilers and CMake already.
fresh
follow "GitHub Actions" "$(block 'GitHub Actions' yaml | sed -n 's/^ *- run: //p')"
apt-get purge -y clarity-opencl ocl-icd-opencl-dev

fresh
cp /tmp/my_program .
docker=$(block Docker dockerfile)
grep -qx 'FROM debian:12' <<<"$docker" || { echo "failed: Docker: it starts from another system"; exit 1; }
follow Docker "$(sed -n -e 's/^COPY /cp /p' -e 's/^RUN //p' -e 's/^CMD \["\(.*\)"\]$/\1/p' <<<"$docker")"
apt-get purge -y clarity-opencl
apt-get autoremove -y --purge

if ls /given/*.whl /given/wheels/*.whl >/dev/null 2>&1; then
  apt-get update
  apt-get install -y python3-venv
  fresh
  # In the place of setup-python, which is GitHub's; and pip has no registry here but what run.sh has fetched.
  export PIP_NO_INDEX=1 PIP_FIND_LINKS=/given/wheels
  python3 -m venv /tmp/environment
  PATH=/tmp/environment/bin:$PATH follow Python "$(block Python yaml | sed -n 's/^ *- run: //p')"
fi
echo "the recipes of docs/ci.md: followed"
