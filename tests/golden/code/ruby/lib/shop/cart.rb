# frozen_string_literal: true

require_relative 'item'

module Shop
  LIMIT = 10

  module Countable
    def total
      items.sum { |item| item.price }
    end
  end

  class Base
    attr_reader :items

    def initialize(items = [])
      @items = items
    end
  end

  # Holds what a customer wants to buy.
  class Cart < Base
    include Countable

    class << self
      def with(item)
        cart = new
        cart.add(item)
        cart
      end
    end

    def initialize
      super
      @first = Item.new('none', 0)
    end

    def add(item)
      raise Full, "at most #{LIMIT}" if items.size >= LIMIT

      @first = item
      items << item
    end

    def first
      @first
    end

    Full = Class.new(StandardError)
  end
end

cart = Shop::Cart.with(Shop::Item.free('pen'))
puts cart.first.label
puts cart.total
