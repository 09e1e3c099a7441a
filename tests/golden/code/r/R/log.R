log_info <- function(message) {
  line <- paste(">", message)
  print(line)
}
