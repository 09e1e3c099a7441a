package Shop::Log;

sub info {
  my ($message) = @_;
  print $message;
}

1;
