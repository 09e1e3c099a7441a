class Log {
  void info(String message) => print(message);
}
