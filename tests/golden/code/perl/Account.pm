package Shop::Account;
use strict;
use parent 'Shop::Holder';
use Shop::Log;

our $MINIMUM = 10;

# Makes an account.
sub new {
  my ($class, %args) = @_;
  my $self = { balance => $args{balance} || $MINIMUM };
  return bless $self, $class;
}

sub deposit {
  my ($self, $amount) = @_;
  $self->check($amount);
  Shop::Log::info($amount);
  return $self;
}

sub check { my $self = shift; return 1 }

1;
