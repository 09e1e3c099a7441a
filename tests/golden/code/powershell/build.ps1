# Builds every target.
. ./log.ps1

class Target {
  [string]$Name

  Target([string]$name) {
    $this.Name = $name
  }

  [string] Path([string]$root) {
    return $root + $this.Name
  }
}

function Build-Target {
  $target = [Target]::new('linux')
  Write-Info $target.Name
}

build-target
