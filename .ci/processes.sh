# For .ci/run: starts programs in the background and ends all of them with the run, however it ends.

# Each program has a process group, which is ended with all of its children.
set -m
work=$(mktemp -d)
# All children inherit this variable. It finds those that have left their group, such as browsers.
export TILLHOOK_RUN="$work"
groups=()
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap clean_up EXIT

# Starts a program in the background. Its id is in `$!`.
start() {
  "$@" &
  groups+=($!)
}

# Waits for the end of a program, and returns its exit code.
finish() {
  local status=0
  wait "$1" || status=$?
  return $status
}

# In the background too, because bash handles a signal only when no program runs in the foreground.
run() {
  start "$@"
  finish $!
}

# Waits until the log of a service has its address, which the pattern finds.
address_in() {
  local address
  for _ in {1..100}; do
    address=$(sed -n "s|$2|\1|p" "$1") && [ -n "$address" ] && echo "$address" && return
    sleep 0.1
  done
  cat "$1" >&2
  return 1
}

# Asks each group to stop first, so that what started Postgres and browsers can stop them. Then kills what still runs.
clean_up() {
  trap '' INT TERM HUP
  # Otherwise the shell would print a line about each ended program after the last line.
  exec >/dev/null 2>&1
  for group in "${groups[@]}"; do kill -TERM -- "-$group"; done
  for _ in {1..100}; do
    [ -z "$(remaining)" ] && break
    sleep 0.2
  done
  for group in "${groups[@]}"; do kill -KILL -- "-$group"; done
  for pid in $(remaining); do kill -KILL "$pid"; done
  rm -rf "$work"
}

# The ids of all processes that inherited TILLHOOK_RUN, apart from this shell and the commands that look for them.
remaining() {
  local file pid parent
  for file in $(grep -alsF "TILLHOOK_RUN=$work" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${file//[!0-9]/}
    parent=$(sed -n 's/^PPid:\t//p' "/proc/$pid/status" 2>/dev/null)
    [ "$pid" = "$$" ] || [ "$pid" = "$BASHPID" ] || [ "$parent" = "$BASHPID" ] || [ -z "$parent" ] || echo "$pid"
  done
}
