variable "region" {
  default = "eu-central-1"
}

output "bucket" {
  value = aws_s3_bucket.logs.id
}
