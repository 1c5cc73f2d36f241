namespace Larder.Client;

/// <summary>The result of a get-or-create of a typed cache.</summary>
internal sealed class CreatedValue<T>(T value, object? origin) : GetOrCreateResult<T>(origin)
{
    public override T Value => value;

    /// <summary>Returns only the source, because the value may be a secret.</summary>
    public override string ToString() => Source.ToString();
}
