# A bucket for logs.
locals {
  prefix = "logs-${var.region}"
}

resource "aws_s3_bucket" "logs" {
  bucket = local.prefix
  tags   = { owner = data.aws_caller_identity.me.account_id }
}

data "aws_caller_identity" "me" {}

module "network" {
  source = "./network"
  bucket = aws_s3_bucket.logs.arn
}
