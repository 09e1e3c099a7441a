#include "shape.h"

namespace draw {
namespace {
constexpr double kPi = 3.14;
double square(double x) { return x * x; }
}  // namespace

Circle::Circle(Color color, double radius) : Shape(color), radius_(radius) {}

double Circle::area() const { return kPi * square(this->radius_); }

Circle* Circle::unit() { return new Circle(Color::Blue, 1); }

double total(const std::vector<Shape*>& shapes) {
  double sum = 0;
  for (auto* shape : shapes) sum += shape->area();
  return sum;
}

}  // namespace draw

int main() {
  auto circle = draw::Circle::unit();
  auto other = draw::Circle(draw::Color::Red, 2);
  auto show = [&](double factor) { return factor * other.area(); };
  return draw::total({circle}) > show(2) ? 1 : static_cast<int>(circle->color());
}
