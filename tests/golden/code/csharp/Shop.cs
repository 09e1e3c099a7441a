using System;
using System.Linq;
using System.Threading.Tasks;
using Acme.Model;
using Money = Acme.Model.Price;

namespace Acme.Shop;

public delegate void Listener(IItem item);

public class Shop<T> where T : IItem
{
    private readonly Dictionary<string, T> _items = new();
    public event Listener? Added;

    public T this[string name] => _items[name];

    public async Task<Shop<T>> Add(T item, params string[] tags)
    {
        _items[item.Name] = item;
        Added?.Invoke(item);
        await Task.Delay(tags.Length);
        return this;
    }

    public int Total(Currency of)
    {
        var prices = _items.Values.Select(it => it.Price());
        foreach (var price in prices)
            if (price.Currency == of) return Sum(price, 1);
        return 0;

        int Sum(Money money, int times) => money.Cents * times;
    }

    public static string Describe(object thing) => thing switch
    {
        Book book => book.Label(),
        IItem { Name: "none" } item => item.Name,
        Currency.Dollar => "dollar",
        _ => new Book("x") { Latest = new Money(3) }.Latest.ToString(),
    };
}
