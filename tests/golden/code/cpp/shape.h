#pragma once
#include <memory>
#include <vector>

namespace draw {

enum class Color { Red, Blue };

class Shape {
 public:
  explicit Shape(Color color) : color_(color) {}
  virtual ~Shape() = default;
  virtual double area() const = 0;
  Color color() const { return color_; }

 protected:
  Color color_;
};

template <typename T>
class Group : public Shape {
 public:
  Group() : Shape(Color::Red) {}
  void add(std::unique_ptr<T> item);
  double area() const override;

 private:
  std::vector<std::unique_ptr<T>> items_;
};

template <typename T>
double Group<T>::area() const {
  double sum = 0;
  for (const auto& item : items_) sum += item->area();
  return sum;
}

class Circle : public Shape {
 public:
  Circle(Color color, double radius);
  double area() const override;
  static Circle* unit();

 private:
  double radius_ = 1;
};

double total(const std::vector<Shape*>& shapes);

}  // namespace draw
