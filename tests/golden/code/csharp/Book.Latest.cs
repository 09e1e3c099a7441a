namespace Acme.Model;

public partial class Book
{
    public Price? Latest { get; set; }

    public bool IsNew => Latest is not null && Price() == Latest;
}
