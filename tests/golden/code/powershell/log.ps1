function Write-Info {
  $prefix = ">"
  Write-Output $prefix
}
