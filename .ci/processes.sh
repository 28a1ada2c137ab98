# Functions for .ci/run that start programs in the background, and end them when the run ends for any reason.

# With job control, each program gets its own process group, so that a signal to the group ends the program and its children.
set -m
work=$(mktemp -d)
# All children inherit TILLHOOK_RUN, which identifies children that have left their process group, such as browsers.
export TILLHOOK_RUN="$work"
groups=()
trap 'exit 130' INT
trap 'exit 143' TERM HUP
trap clean_up EXIT

# Starts a program in the background. The id of the process is in `$!`.
start() {
  "$@" &
  groups+=($!)
}

finish() {
  local status=0
  wait "$1" || status=$?
  return $status
}

# Runs a program in the background, and waits for its end. Bash handles no signals while a program runs in the foreground.
run() {
  start "$@"
  finish $!
}

# `address_in LOG PATTERN` waits until the log of a service contains its address, and prints the address.
address_in() {
  local address
  for _ in {1..100}; do
    address=$(sed -n "s|$2|\1|p" "$1") && [ -n "$address" ] && echo "$address" && return
    sleep 0.1
  done
  cat "$1" >&2
  return 1
}

# SIGTERM lets programs stop the Postgres and the browsers that they started. SIGKILL ends the processes that still run.
clean_up() {
  trap '' INT TERM HUP
  # Hides the lines that the shell prints about ended programs.
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

# Prints the ids of all processes that inherited TILLHOOK_RUN, except this shell and the commands that search for them.
remaining() {
  local file pid parent
  for file in $(grep -alsF "TILLHOOK_RUN=$work" /proc/[0-9]*/environ 2>/dev/null); do
    pid=${file//[!0-9]/}
    parent=$(sed -n 's/^PPid:\t//p' "/proc/$pid/status" 2>/dev/null)
    [ "$pid" = "$$" ] || [ "$pid" = "$BASHPID" ] || [ "$parent" = "$BASHPID" ] || [ -z "$parent" ] || echo "$pid"
  done
}
