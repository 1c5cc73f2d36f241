namespace Larder.Client;

/// <summary>The result of a get-or-create of a typed cache.</summary>
internal sealed class CreatedValue<T>(T value, CreatedBytes of) : GetOrCreateResult<T>(of.Origin)
{
    public override T Value => value;

    /// <summary>Returns the source. The value may be a secret.</summary>
    public override string ToString() => Source.ToString();
}
