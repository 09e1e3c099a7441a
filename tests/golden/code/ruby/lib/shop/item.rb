# frozen_string_literal: true

module Shop
  Size = Struct.new(:width, :height)

  class Item
    attr_accessor :name, :price

    def self.free(name)
      new(name, 0)
    end

    def initialize(name, price, size: Size.new(1, 1))
      @name = name
      @price = price
      @size = size
    end

    def label
      "#{name}: #{price}"
    end

    def <=>(other)
      price <=> other.price
    end

    def wide?
      @size.width > 10
    end
  end
end
