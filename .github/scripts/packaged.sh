#!/usr/bin/env bash
# Prepares package.json for publishing: the tag must be its version, and its repository the one that this job runs in.
set -euo pipefail

version="$(node -p 'require("./package.json").version')"
if [ "v$version" != "$GITHUB_REF_NAME" ]; then
  echo "::error title=Tag and version differ::the tag is $GITHUB_REF_NAME, package.json says $version"
  exit 1
fi
npm pkg set repository.type=git "repository.url=git+$GITHUB_SERVER_URL/$GITHUB_REPOSITORY.git"
