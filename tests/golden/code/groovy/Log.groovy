package shop

class Log {
  static void info(String message) {
    println(message)
  }
}
