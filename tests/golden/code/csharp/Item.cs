using System.Collections.Generic;

namespace Acme.Model
{
    /// <summary>Something that can be sold.</summary>
    public interface IItem
    {
        string Name { get; }
        Price Price();
    }

    public enum Currency { Euro, Dollar = 2 }

    public record Price(int Cents, Currency Currency = Currency.Euro);

    public partial class Book : IItem
    {
        private readonly List<Price> _prices = new();

        public Book(string name) { Name = name; }

        public string Name { get; }

        public Price Price() => Latest ?? _prices[0];
    }

    public static class ItemExtensions
    {
        public static string Label(this IItem item) => $"{item.Name}: {item.Price().Cents}";
    }
}
