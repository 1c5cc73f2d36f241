# Sourced by tools/test: runs selected tests of one language. Builds only the projects that these tests need, and shows the output of the test runner.

SERVER=server/src/Larder.Server

# built PROJECT…: builds the projects; exits if a build fails.
built() {
  local project
  for project in "$@"; do
    echo "== building $project"
    dotnet build "$project" -c Release -v quiet --nologo '-clp:ErrorsOnly;NoSummary' || { echo "the build failed"; echo "0 passed, 1 failed"; exit 1; }
  done
}

# chosen NAME COUNTER COMMAND…: runs COMMAND, shows its output, and adds the results that COUNTER reads from the output.
chosen() {
  local name=$1 counter=$2
  shift 2
  name_log "$name"
  printf '== %s\n' "$name"
  "${fresh[@]}" "${@//RESULTS/$PWD/${log%.log}}" 2>&1 </dev/null | tee "$log"
  broken+=("${PIPESTATUS[0]}")
  sed -i 's/\x1b\[[0-9;]*m//g' "$log"
  "$counter"
}

# closing: prints the line with the totals and returns the exit code.
closing() {
  local status
  for status in "${broken[@]}"; do
    [ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
  done
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

select_python() {
  tools/setup python || exit 1
  built $SERVER
  chosen "Python client" count_pytest env -C clients/python ../../tools/python -m pytest -q --junitxml=RESULTS.xml "$@"
  closing
}

select_tree() {
  tools/setup python || exit 1
  chosen "The tree" count_pytest tools/python -m pytest -q --junitxml=RESULTS.xml tools/tests "$@"
  closing
}

select_conformance() {
  tools/setup python node || exit 1
  built $SERVER clients/dotnet/agent conformance/src/Larder.Conformance
  env -C clients/node node build-if-stale.mjs || { echo "the build failed"; echo "0 passed, 1 failed"; exit 1; }
  chosen "Conformance" count_plain dotnet run --project conformance/src/Larder.Conformance -c Release --no-build -- "$@"
  closing
}

# Runs the spec files whose names contain NAME. If there are no such files, runs the tests whose names contain NAME. In this case, it runs only the files
# whose text contains NAME, or all files if there are none.
select_node() {
  local name=$1 specs=() all=() pattern=()
  [ $# -eq 1 ] || { usage >&2; exit 2; }
  tools/setup node || exit 1
  built $SERVER
  mapfile -t all < <(cd clients/node && ls agent/*/*.spec.ts test/*/*.spec.ts)
  mapfile -t specs < <(printf '%s\n' "${all[@]}" | grep -F -- "$name")
  if [ ${#specs[@]} -eq 0 ]; then
    pattern=(--test-name-pattern "$(sed 's/[][\.*^$/+?(){}|]/\\&/g' <<<"$name")")
    mapfile -t specs < <(cd clients/node && grep -lF -- "$name" "${all[@]}")
    [ ${#specs[@]} -gt 0 ] || specs=("${all[@]}")
  fi
  specs=("${specs[@]/#/dist/}")
  env -C clients/node node build-if-stale.mjs || { echo "the build failed"; echo "0 passed, 1 failed"; exit 1; }
  chosen "clients/node" count_node env -C clients/node \
    node --test --test-force-exit --test-concurrency=4 --test-timeout=300000 "${pattern[@]}" "${specs[@]/%.ts/.js}"
  closing
}

# Runs the test project NAME. If there is no such project, runs the tests whose full names contain NAME, in the projects whose sources contain NAME.
select_dotnet() {
  local name=$1 project part projects=() filter=()
  [ $# -eq 1 ] || { usage >&2; exit 2; }
  tools/setup dotnet || exit 1
  mapfile -t projects < <(git ls-files "*/$name.csproj" | grep 'Tests\.csproj$')
  if [ ${#projects[@]} -eq 0 ]; then
    filter=(--filter "FullyQualifiedName~$name")
    for project in $(git ls-files '*Tests.csproj'); do
      # A name that begins with a project's namespace selects only that project.
      case $name. in "$(basename "$project" .csproj)".*) projects=("$project") && break ;; esac
      # For Class.Method, the project must contain both names. They may be in different files, because a partial class may be declared in several files.
      for part in ${name//./ }; do
        grep -rqF --include='*.cs' --exclude-dir=bin --exclude-dir=obj -- "$part" "${project%/*}" || continue 2
      done
      projects+=("$project")
    done
  fi
  if [ ${#projects[@]} -eq 0 ]; then
    echo "error: no test project contains '$name'; pass the name of a class, a test or a project." >&2
    exit 1
  fi
  built "${projects[@]}"
  for project in "${projects[@]}"; do
    dotnet_suite chosen "${project%/*}" "${filter[@]}"
  done
  closing
}
