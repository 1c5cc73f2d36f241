namespace Larder.Client.Codecs;

/// <summary>
/// A decoded object that the near cache keeps with the copy of its encoded value, and the results that contain it. All callers get the same results, so that a
/// near cache hit allocates no memory.
/// </summary>
internal sealed class KeptObject<T>(TypedValues<T> values, T? value)
{
    /// <summary>Gets the <see cref="TypedValues{T}"/> instance that decoded the value.</summary>
    public TypedValues<T> Values => values;

    public LookupResult<T?> Found { get; } = LookupResult<T?>.SecretHit(value);

    public GetOrCreateResult<T?> Created { get; } = new CreatedValue<T?>(value, origin: null);
}
