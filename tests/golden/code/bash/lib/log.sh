# Messages for people.
LOG_PREFIX='>>'

info() {
  printf '%s %s\n' "$LOG_PREFIX" "$*"
}

fail() {
  info "$1" >&2
  exit 1
}
