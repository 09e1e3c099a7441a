const log = @import("log.zig");

/// Money of one customer.
pub const Account = struct {
    balance: u32,

    pub fn init(balance: u32) Account {
        return Account{ .balance = balance };
    }

    pub fn deposit(self: *Account, amount: u32) void {
        self.balance += amount;
        log.info(amount);
    }
};

const Kind = enum { open, closed };

pub fn main() void {
    var account = Account.init(1);
    account.deposit(5);
    for (amounts) |amount| {
        account.deposit(amount);
    }
}

const amounts = [_]u32{ 1, 2 };
