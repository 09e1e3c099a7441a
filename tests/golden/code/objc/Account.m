#import <Foundation/Foundation.h>

@protocol Valued
- (int)value;
@end

// Money of one customer.
@interface Account : NSObject <Valued>
@property (nonatomic) NSString *owner;
- (instancetype)initWithOwner:(NSString *)owner balance:(int)balance;
- (int)value;
@end

static int minimum(int amount) {
  int least = 10;
  return amount > least ? amount : least;
}

@implementation Account
- (instancetype)initWithOwner:(NSString *)owner balance:(int)balance {
  self = [super init];
  self.owner = owner;
  return self;
}

- (int)value {
  Account *other = [[Account alloc] initWithOwner:self.owner balance:minimum(1)];
  return [other value];
}
@end
