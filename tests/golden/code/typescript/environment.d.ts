declare const __DEV__: boolean
interface Settings {
  debug: boolean
}
